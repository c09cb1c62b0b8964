package dev.tailwater.store.segment;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.index.EntryBatch;
import dev.tailwater.store.index.Index;
import dev.tailwater.store.index.LabelIndex;
import dev.tailwater.store.index.Location;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a sealed data file holds, without the values: of each hash the newest record, by ascending
 * hash; so opening need not read the data. Where keys share a hash, all their records, in order.
 */
public final class Hint {
  private Hint() {}

  /**
   * What it says of the data file as a whole.
   *
   * @param dataSalt salt of the data file that it was made from
   * @param dataBytes length of that file
   * @param lastSequence number of the last record; of those before the file if it has none
   * @param records number of all records, without marks
   * @param units length of all records, each rounded up as in a {@link Location}
   */
  public record Summary(
      long dataSalt, long dataBytes, long lastSequence, long records, long units) {}

  /** Takes the records that a hint names. */
  public interface Visitor {
    /**
     * One record.
     *
     * @param flags those of {@link RecordHeader}
     * @param unplaced its location, with a file number that means nothing
     */
    void record(long hash, int flags, long unplaced) throws IOException;

    /** One record has this label; after all records, and some that are replaced. */
    default void label(String label, long hash, long sequence) throws IOException {
      // A visitor that asks for places only.
    }
  }

  /** Flags share a word with the location, in the place of the file number, which is never 0. */
  private static final int PRESENT = 0x80;

  /** Gathers a hint while the records of a file are read in order. */
  public static final class Builder implements AutoCloseable {
    /** So many wait to be put among the newest together. */
    private static final int MAX_WAITING = 512 * 1024;

    private final Index newest = new Index();
    private final EntryBatch waiting = new EntryBatch(newest, 0);
    private final LabelIndex labels = new LabelIndex();
    private final long[] same = new long[2];

    /** Numbers of the records that have labels and are the newest of their hash. */
    private @Nullable Index labelled;

    /** An empty one, which takes native memory until it is closed. */
    public Builder() {}

    /**
     * Adds a record.
     *
     * @param sequence its number
     * @param labels what it can be found under besides its key
     */
    public void add(
        long hash,
        int flags,
        long offsetBytes,
        int recordBytes,
        long sequence,
        List<String> labels) {
      waiting.add(hash, flags, Location.of(flags | PRESENT, offsetBytes, recordBytes));
      if (waiting.size() >= MAX_WAITING) {
        waiting.drain(this::put);
      }
      if (!labels.isEmpty()) {
        labels.forEach(label -> this.labels.add(label, hash, sequence));
        if (labelled == null) {
          labelled = new Index();
        }
      }
      if (labelled != null) {
        long old = labelled.find(hash);
        if (old != Location.NONE) {
          labelled.remove(hash, old);
        }
        if (!labels.isEmpty()) {
          labelled.add(hash, sequence);
        }
      }
    }

    /** Whether a record is in the hint; where keys share a hash, any that had the label is. */
    private boolean isNewest(long hash, long sequence) {
      return newest.findAll(hash, same) > 1
          || (labelled != null && labelled.find(hash) == sequence);
    }

    private void put(long hash, int flags, long word) {
      int there = newest.findAll(hash, same);
      boolean keysDiffer = there > 1 || (flags & RecordHeader.COLLIDES) != 0;
      if (there == 0 || keysDiffer || (Location.file(same[0]) & RecordHeader.COLLIDES) != 0) {
        newest.add(hash, word);
      } else {
        newest.replace(hash, same[0], word);
      }
    }

    /** Writes the hint of the data file with this header; leaves nothing when it fails. */
    public void write(StoreDirectory directory, SegmentHeader data, Summary summary, long salt)
        throws IOException {
      waiting.drain(this::put);
      SegmentHeader header =
          new SegmentHeader(SegmentHeader.FileType.HINT, data.name(), data.store(), salt);
      DerivedFile.write(
          directory,
          data.name().hintPath(),
          header,
          out -> {
            out.add(
                BlockKind.SUMMARY,
                summary.dataSalt(),
                summary.dataBytes(),
                summary.lastSequence(),
                summary.records(),
                summary.units(),
                labels.labels());
            for (int partition = 0; partition < Index.PARTITIONS; partition++) {
              newest.forEach(partition, out::addEntry);
            }
            LabelBlocks.write(labels, this::isNewest, out);
          });
    }

    @Override
    public void close() {
      newest.close();
      labels.close();
      if (labelled != null) {
        labelled.close();
      }
    }
  }

  /**
   * Reads the hint of this data file; empty when there is none for it, or none of use, which may be
   * found out when much has been visited.
   */
  public static Optional<Summary> read(
      StoreDirectory directory, SegmentHeader data, long dataBytes, Visitor visitor)
      throws IOException {
    PosixPath name = data.name().hintPath();
    return DerivedFile.read(
        directory,
        name,
        SegmentHeader.FileType.HINT,
        data,
        in -> {
          Optional<Summary> summary = summary(in, data, dataBytes);
          if (summary.isEmpty()) {
            return Optional.empty();
          }
          long labels = in.remaining() == 0 ? 0 : in.nextLong();
          return readContents(in, dataBytes, labels, visitor) ? summary : Optional.empty();
        });
  }

  /**
   * Reads the hint of a data file that may be damaged, or be missing; what it says of the data file
   * is not compared with it. Empty when there is none that is whole; then the visitor may have been
   * given some records.
   */
  public static Optional<Summary> readAlone(
      StoreDirectory directory,
      SegmentName name,
      SegmentHeader.StoreIdentity store,
      Visitor visitor)
      throws IOException {
    SegmentHeader data = new SegmentHeader(SegmentHeader.FileType.DATA, name, store, 0);
    return DerivedFile.read(
        directory,
        name.hintPath(),
        SegmentHeader.FileType.HINT,
        data,
        in -> {
          Optional<Summary> summary = summary(in);
          if (summary.isEmpty()) {
            return Optional.empty();
          }
          long labels = in.remaining() == 0 ? 0 : in.nextLong();
          long dataBytes = summary.get().dataBytes();
          return readContents(in, dataBytes, labels, visitor) ? summary : Optional.empty();
        });
  }

  private static Optional<Summary> summary(BlockReader in) throws ErrnoException {
    if (!in.next() || in.kind() != BlockKind.SUMMARY || in.remaining() < 5) {
      return Optional.empty();
    }
    return Optional.of(
        new Summary(in.nextLong(), in.nextLong(), in.nextLong(), in.nextLong(), in.nextLong()));
  }

  private static Optional<Summary> summary(BlockReader in, SegmentHeader data, long dataBytes)
      throws ErrnoException {
    return summary(in)
        .filter(said -> said.dataSalt() == data.salt() && said.dataBytes() == dataBytes);
  }

  private static boolean readContents(
      BlockReader in, long dataBytes, long labelCount, Visitor visitor) throws IOException {
    boolean anyLabelled = false;
    boolean more = in.next();
    while (more && in.kind() == BlockKind.ENTRIES) {
      while (in.remaining() >= 2) {
        long hash = in.nextLong();
        long word = in.nextLong();
        if (Location.offsetBytes(word) < dataBytes) {
          int flags = Location.file(word) & ~PRESENT;
          anyLabelled |= (flags & (RecordHeader.TAGS | RecordHeader.EXPIRY)) != 0;
          visitor.record(hash, flags, word);
        }
      }
      more = in.next();
    }
    // One from before there were labels is of no use for records that have some.
    return LabelBlocks.read(in, more, visitor::label) == labelCount
        && (labelCount > 0 || !anyLabelled);
  }
}
