package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.RecordRewriter;
import dev.tailwater.store.datafile.format.SealedFileReader;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.List;

/**
 * A rewrite of neighbouring data files into a new one, under a temporary name, with what is still
 * needed. Changes nothing else. Closing it before it was {@link #published} deletes the new file.
 */
final class Rewrite implements AutoCloseable {
  private final StoreDirectory directory;
  private final LiveRecords live;
  private final RateLimiter limiter;
  private final long nowMillis;
  private final long removedTo;
  private final FileHeader header;
  private final int fd;
  private final MoveList moves = new MoveList();
  private final FileCounts tally = new FileCounts();
  private DataFile reading;
  private long offsetBytes;
  private long movedUnits;
  private long sizeBytes;
  private boolean published;

  /**
   * Creates the file.
   *
   * @param header of the new file; everything up to its {@code cleanTo} is durable and visible
   * @param removedTo removals with at most this number are not needed any more
   */
  Rewrite(
      StoreDirectory directory,
      LiveRecords live,
      RateLimiter limiter,
      FileHeader header,
      List<DataFile> old,
      long nowMillis,
      long removedTo)
      throws ErrnoException {
    this.directory = directory;
    this.live = live;
    this.limiter = limiter;
    this.nowMillis = nowMillis;
    this.header = header;
    this.removedTo = removedTo;
    this.reading = old.getFirst();
    this.fd = directory.create(header.name().temporaryPath());
  }

  /** Returns the file that is being read. */
  DataFile reading() {
    return reading;
  }

  /** Returns about where in it. */
  long offsetBytes() {
    return offsetBytes;
  }

  /**
   * Copies the records; everything but the name is durable when it returns.
   *
   * @throws dev.tailwater.store.DamagedStoreException when {@link #reading} is not as it was
   *     written
   */
  void copy(List<DataFile> old) throws IOException {
    try (RecordRewriter out = new RecordRewriter(directory.calls(), fd, header)) {
      for (DataFile file : old) {
        reading = file;
        try (VacuumSource source = new VacuumSource(directory, file, limiter);
            SealedFileReader in =
                new SealedFileReader(file.path(), file.header(), file.writtenBytes(), source)) {
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

  private void copy(SealedFileReader in, RecordRewriter out) throws IOException {
    RecordHeader record = in.header();
    offsetBytes = in.offsetBytes();
    boolean forgets = record.sequence() <= removedTo;
    if (record.has(RecordHeader.REMOVE)) {
      if (!forgets) {
        copyAs(in, out);
      }
      return;
    }
    long hashed = live.hash(in.key());
    long from = Location.of(reading.number(), in.offsetBytes(), record.recordBytes());
    if (!live.contains(hashed, from)) {
      return; // dead; in.next() still verifies it
    }
    movedUnits += DataFile.unitsOf(from);
    long expiresAtMillis = in.expiresAtMillis();
    if (expiresAtMillis == 0 || expiresAtMillis > nowMillis) {
      moves.add(hashed, from, copyAs(in, out));
      tally.expires(expiresAtMillis, DataFile.unitsOf(from));
    } else {
      // To its key it is a removal: what it hides must not come back.
      moves.addGone(hashed, from);
      live.removeTags(in.tags(), expiresAtMillis, hashed, record.sequence());
      if (!forgets) {
        limiter.spend(RecordHeader.LENGTH_BYTES + record.keyBytes());
        long offset = out.endBytes();
        out.remove(in);
        tally.added(Location.of(1, offset, (int) (out.endBytes() - offset)), true);
      }
    }
  }

  private long copyAs(SealedFileReader in, RecordRewriter out) throws IOException {
    RecordHeader record = in.header();
    limiter.spend(record.recordBytes());
    long offset = out.endBytes();
    boolean removes = record.has(RecordHeader.REMOVE);
    tally.added(Location.of(1, offset, record.recordBytes()), removes);
    out.copy(in);
    return offset;
  }

  DataFileName name() {
    return header.name();
  }

  /** Returns the records that were in the index when they were read, and where they are now. */
  MoveList moves() {
    return moves;
  }

  /** Returns the length of those. */
  long movedUnits() {
    return movedUnits;
  }

  /** Returns the length of the new file. */
  long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Returns it as an open data file, which owns the descriptor now. The index does not name it yet.
   */
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
