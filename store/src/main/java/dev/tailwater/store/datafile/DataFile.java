package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.index.Location;
import dev.tailwater.store.segment.SegmentHeader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An open data file, which stays open until all that hold it have let go. Thread-safe. */
final class DataFile implements AutoCloseable {
  private final StoreDirectory directory;
  private final SegmentHeader header;
  private final int fd;
  private final int number;
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong units = new AtomicLong();
  private final AtomicLong liveUnits = new AtomicLong();
  private final AtomicInteger holders = new AtomicInteger(1);
  private volatile long writtenBytes;
  private volatile @Nullable FileMapping mapping;

  /**
   * Takes over the descriptor.
   *
   * @param number by which locations name it, from 1
   * @param writtenBytes what lies before this offset can be read from the file
   */
  DataFile(StoreDirectory directory, SegmentHeader header, int fd, int number, long writtenBytes) {
    this.directory = directory;
    this.header = header;
    this.fd = fd;
    this.number = number;
    this.writtenBytes = writtenBytes;
  }

  SegmentHeader header() {
    return header;
  }

  int fd() {
    return fd;
  }

  int number() {
    return number;
  }

  PosixPath path() {
    return directory.pathOf(header.name().path());
  }

  long writtenBytes() {
    return writtenBytes;
  }

  void wrote(long endBytes) {
    writtenBytes = endBytes;
  }

  /** The file as mapped memory; null when it is not mapped (yet). */
  @Nullable FileMapping mapping() {
    return mapping;
  }

  /** Takes over a mapping. */
  void map(FileMapping mapped) {
    mapping = mapped;
  }

  /** Number of records, dead ones too. */
  long records() {
    return records.get();
  }

  /** Length of all records, counted as {@link #unitsOf}. */
  long units() {
    return units.get();
  }

  /** Length of those that are the newest of their key. */
  long liveUnits() {
    return liveUnits.get();
  }

  /** Length of a record in 64-byte units, as exactly as its location says. */
  static long unitsOf(long location) {
    int bytes = Location.maxLengthBytes(location);
    return bytes == 0 ? Location.LENGTH_UNITS_LIMIT : bytes / Location.LENGTH_UNIT_BYTES;
  }

  void added(long location) {
    records.incrementAndGet();
    units.addAndGet(unitsOf(location));
  }

  void addedBefore(long recordCount, long unitCount, long liveUnitCount) {
    records.addAndGet(recordCount);
    units.addAndGet(unitCount);
    liveUnits.addAndGet(liveUnitCount);
  }

  void lives(long location) {
    liveUnits.addAndGet(unitsOf(location));
  }

  void died(long location) {
    liveUnits.addAndGet(-unitsOf(location));
  }

  /** Keeps it open until one more party has let go. Only by who knows that it is open. */
  DataFile retain() {
    holders.incrementAndGet();
    return this;
  }

  /** Lets go, as the party that opened it or one that {@link #retain retained} it. */
  @Override
  public void close() throws ErrnoException {
    if (holders.decrementAndGet() == 0) {
      FileMapping mapped = mapping;
      if (mapped != null) {
        mapped.close();
      }
      directory.calls().close(fd);
    }
  }
}
