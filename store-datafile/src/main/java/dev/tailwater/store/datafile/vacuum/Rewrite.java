package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.Labels;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SealedSegment;
import dev.tailwater.store.datafile.format.SegmentHeader;
import dev.tailwater.store.datafile.format.SegmentName;
import dev.tailwater.store.datafile.format.SegmentRewriter;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.LabelIndex;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.List;

/**
 * Writes what is still needed of neighbouring data files into a new one, under a temporary name.
 * Changes nothing else; who closes it before it was {@link #published} takes it back.
 */
final class Rewrite implements AutoCloseable {
  private final StoreDirectory directory;
  private final Index index;
  private final LabelIndex labels;
  private final KeyHash hash;
  private final Pace pace;
  private final long nowMillis;
  private final long removedTo;
  private final SegmentHeader header;
  private final int fd;
  private final MoveList moves = new MoveList();
  private final long[] same = new long[8];
  private final FileTally tally = new FileTally();
  private DataFile reading;
  private long offsetBytes;
  private long movedUnits;
  private long sizeBytes;
  private boolean published;

  /**
   * Makes the file.
   *
   * @param header of the new file; everything up to its {@code cleanTo} is durable and seen
   * @param removedTo removals with at most this number are not needed any more
   */
  Rewrite(
      StoreDirectory directory,
      Index index,
      LabelIndex labels,
      KeyHash hash,
      Pace pace,
      long nowMillis,
      SegmentHeader header,
      List<DataFile> old,
      long removedTo)
      throws ErrnoException {
    this.directory = directory;
    this.index = index;
    this.labels = labels;
    this.hash = hash;
    this.pace = pace;
    this.nowMillis = nowMillis;
    this.header = header;
    this.removedTo = removedTo;
    this.reading = old.getFirst();
    this.fd = directory.create(header.name().temporaryPath());
  }

  /** The file that is read at the moment. */
  DataFile reading() {
    return reading;
  }

  /** Where about in it. */
  long offsetBytes() {
    return offsetBytes;
  }

  /**
   * Copies; durable when it returns, but for the name.
   *
   * @throws dev.tailwater.store.DamagedStoreException when {@link #reading} is not as it was
   *     written
   */
  void copy(List<DataFile> old) throws IOException {
    try (SegmentRewriter out = new SegmentRewriter(directory.calls(), fd, header)) {
      for (DataFile file : old) {
        reading = file;
        try (VacuumSource source = new VacuumSource(directory, file, pace);
            SealedSegment in =
                new SealedSegment(file.path(), file.header(), file.writtenBytes(), source)) {
          while (in.next()) {
            copy(in, out);
          }
          tally.endsWith(in.lastSequence());
        }
      }
      out.finish(tally.lastSequence());
      sizeBytes = out.endBytes();
    }
    DataFileCreator.adviseRandom(directory.calls(), fd);
  }

  private void copy(SealedSegment in, SegmentRewriter out) throws IOException {
    RecordHeader record = in.header();
    offsetBytes = in.offsetBytes();
    boolean forgets = record.sequence() <= removedTo;
    if (record.has(RecordHeader.REMOVE)) {
      if (!forgets) {
        copyAs(in, out);
      }
      return;
    }
    long hashed = hash.hash(in.key());
    long from = Location.of(reading.number(), in.offsetBytes(), record.recordBytes());
    if (!isIn(hashed, from)) {
      return; // dead; in.next() checks it all the same
    }
    movedUnits += DataFile.unitsOf(from);
    long expiresAtMillis = in.expiresAtMillis();
    if (expiresAtMillis == 0 || expiresAtMillis > nowMillis) {
      moves.add(hashed, from, copyAs(in, out));
      tally.expires(expiresAtMillis, DataFile.unitsOf(from));
    } else {
      // To its key it is what a removal is: what it hides must not come back.
      moves.addGone(hashed, from);
      for (String label : Labels.of(in.tags(), expiresAtMillis)) {
        labels.remove(label, hashed, record.sequence()); // whoever asks takes it for gone already
      }
      if (!forgets) {
        pace.spend(RecordHeader.LENGTH_BYTES + record.keyBytes());
        long offset = out.endBytes();
        out.remove(in);
        tally.added(Location.of(1, offset, (int) (out.endBytes() - offset)), true);
      }
    }
  }

  private long copyAs(SealedSegment in, SegmentRewriter out) throws IOException {
    RecordHeader record = in.header();
    pace.spend(record.recordBytes());
    long offset = out.endBytes();
    boolean removes = record.has(RecordHeader.REMOVE);
    tally.added(Location.of(1, offset, record.recordBytes()), removes);
    out.copy(in);
    return offset;
  }

  private boolean isIn(long hashed, long location) {
    long found = index.find(hashed);
    if (found != Index.SEVERAL) {
      return found == location;
    }
    long[] all = same;
    int count = index.findAll(hashed, all);
    while (count > all.length) {
      all = new long[2 * count];
      count = index.findAll(hashed, all);
    }
    for (int i = 0; i < count; i++) {
      if (all[i] == location) {
        return true;
      }
    }
    return false;
  }

  SegmentName name() {
    return header.name();
  }

  /** Records that were in the index when they were read, and where they are now. */
  MoveList moves() {
    return moves;
  }

  /** Length of those. */
  long movedUnits() {
    return movedUnits;
  }

  /** Length of the new file. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** As an open data file, which has the descriptor from now on. Nothing in it is in the index. */
  DataFile published(int number) {
    DataFile file = new DataFile(directory, header, fd, number, sizeBytes);
    tally.tell(file);
    published = true;
    return file;
  }

  @Override
  public void close() throws ErrnoException {
    moves.close();
    if (!published) {
      directory.calls().close(fd);
      directory.delete(header.name().temporaryPath());
    }
  }
}
