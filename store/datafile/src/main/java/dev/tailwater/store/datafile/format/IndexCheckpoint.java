package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoint of the index as it was when the store was closed, and the data files that it
 * covers. A store has at most one, {@code index}; it is usable as long as these files are there and
 * not shorter.
 */
public final class IndexCheckpoint {
  /** The name in its header; its places mean nothing, since it covers all data files. */
  public static final DataFileName PLACES = new DataFileName(1, 1, 0);

  /** Its name in the directory. */
  public static final PosixPath NAME = PosixPath.of("index");

  /** A checkpoint from before there were index tags has fewer, and is unusable. */
  private static final int SUMMARY_LONGS = 4;

  private static final int LONGS_PER_FILE = 9;

  private IndexCheckpoint() {}

  /**
   * A data file that the checkpoint covers.
   *
   * @param salt the data file's
   * @param coveredBytes what lies before this offset is in the index
   * @param number by which the locations name the file
   * @param records number of all records, as of {@link HintSummary}
   * @param units length of all records, as of {@link HintSummary}
   * @param liveUnits length of the records that are in the index
   */
  public record CoveredFile(
      DataFileName name,
      long salt,
      long coveredBytes,
      int number,
      long records,
      long units,
      long liveUnits) {}

  /**
   * The coverage of a checkpoint.
   *
   * @param lastSequence number of the last record
   * @param files in order
   */
  public record Coverage(long lastSequence, List<CoveredFile> files) {
    public Coverage {
      files = List.copyOf(files);
    }
  }

  /** Writes a checkpoint durably; nobody may change the index meanwhile. */
  public static void write(
      StoreDirectory directory,
      FileHeader.StoreIdentity store,
      long salt,
      Coverage coverage,
      Index index,
      TagIndex tagIndex)
      throws IOException {
    FileHeader header = new FileHeader(FileHeader.FileType.INDEX, PLACES, store, salt);
    DerivedFile.write(
        directory,
        NAME,
        header,
        out -> {
          out.add(
              BlockKind.SUMMARY,
              coverage.lastSequence(),
              coverage.files().size(),
              index.size(),
              tagIndex.tagCount());
          for (CoveredFile file : coverage.files()) {
            out.add(
                BlockKind.FILES,
                file.name().first(),
                file.name().last(),
                file.name().generation(),
                file.salt(),
                file.coveredBytes(),
                file.number(),
                file.records(),
                file.units(),
                file.liveUnits());
          }
          for (int partition = 0; partition < Index.PARTITIONS; partition++) {
            out.add(BlockKind.PARTITION, partition, index.size(partition));
            index.forEach(partition, out::addEntry);
          }
          TagBlocks.write(tagIndex, (hash, sequence) -> true, out);
        });
  }

  /** Decides whether the covered files are there as they were. */
  @FunctionalInterface
  public interface Acceptance {
    /** Asked once, before anything is put into the index. */
    boolean accepts(Coverage coverage) throws IOException;
  }

  /**
   * Fills an empty index and an empty tag index. Returns empty when there is no usable checkpoint;
   * then the indexes may hold anything and must be discarded.
   */
  public static Optional<Coverage> read(
      StoreDirectory directory,
      FileHeader data,
      Acceptance acceptance,
      Index index,
      TagIndex tagIndex)
      throws IOException {
    FileHeader ofIndex = new FileHeader(FileHeader.FileType.INDEX, PLACES, data.store(), 0);
    return DerivedFile.read(
        directory,
        NAME,
        FileHeader.FileType.INDEX,
        ofIndex,
        in -> {
          if (!in.next() || in.kind() != BlockKind.SUMMARY || in.remaining() != SUMMARY_LONGS) {
            return Optional.empty();
          }
          long lastSequence = in.nextLong();
          long fileCount = in.nextLong();
          long entries = in.nextLong();
          long labelCount = in.nextLong();
          List<CoveredFile> files = new ArrayList<>();
          for (long i = 0; i < fileCount; i++) {
            Optional<CoveredFile> file =
                in.moveTo(BlockKind.FILES, LONGS_PER_FILE) ? readFile(in) : Optional.empty();
            if (file.isEmpty()) {
              return Optional.empty();
            }
            files.add(file.get());
          }
          Coverage coverage = new Coverage(lastSequence, files);
          if (!acceptance.accepts(coverage)) {
            return Optional.empty();
          }
          long[] coveredBytes = new long[Location.MAX_FILE + 1];
          files.forEach(file -> coveredBytes[file.number()] = file.coveredBytes());
          boolean whole =
              readPartitions(in, index, coveredBytes)
                  && TagBlocks.read(in, in.next(), tagIndex::add) == labelCount;
          return whole && index.size() == entries ? Optional.of(coverage) : Optional.empty();
        });
  }

  private static Optional<CoveredFile> readFile(BlockReader in) {
    long first = in.nextLong();
    long last = in.nextLong();
    long generation = in.nextLong();
    long salt = in.nextLong();
    long coveredBytes = in.nextLong();
    long number = in.nextLong();
    long records = in.nextLong();
    long units = in.nextLong();
    long liveUnits = in.nextLong();
    boolean plausible =
        first >= 1
            && last >= first
            && last <= DataFileName.MAX_PLACE
            && generation >= 0
            && generation <= DataFileName.MAX_GENERATION
            && number >= 1
            && number <= Location.MAX_FILE;
    return plausible
        ? Optional.of(
            new CoveredFile(
                new DataFileName(first, last, (int) generation),
                salt,
                coveredBytes,
                (int) number,
                records,
                units,
                liveUnits))
        : Optional.empty();
  }

  private static boolean readPartitions(BlockReader in, Index index, long[] coveredBytes)
      throws IOException {
    Index.Filling filling = index.filling();
    long[] words = new long[BlockWriter.MAX_CONTENT_BYTES / Long.BYTES];
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      if (!in.moveTo(BlockKind.PARTITION, 2) || in.nextLong() != partition) {
        return false;
      }
      long left = in.nextLong();
      if (left < 0 || left > in.sizeBytes() / (2 * Long.BYTES)) {
        return false; // memory is asked for by what the file can hold
      }
      filling.begin(partition, Math.toIntExact(left));
      while (left > 0) {
        if (!in.moveTo(BlockKind.ENTRIES, 2)) {
          return false;
        }
        int count = in.nextLongs(words, (int) Math.min(words.length, 2 * left)) & -2;
        for (int i = 0; i < count; i += 2) {
          long location = words[i + 1];
          if (Location.offsetBytes(location) >= coveredBytes[Location.file(location)]
              || !filling.add(words[i], location)) {
            return false;
          }
        }
        left -= count / 2;
      }
      filling.finish();
    }
    return in.remaining() == 0;
  }
}
