package dev.tailwater.store.datafile.file;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.async.RandomFile;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An open data file, which stays open until all holders have closed it. Thread-safe. */
public final class DataFile implements AutoCloseable {
  /** Length of a mark. */
  public static final int MARK_BYTES = RecordHeader.LENGTH_BYTES + 2 * Long.BYTES;

  private final StoreDirectory directory;
  private final FileHeader header;
  private final long salt;
  private final Descriptor descriptor;
  private final int number;
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong units = new AtomicLong();
  private final AtomicLong liveUnits = new AtomicLong();
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicLong removalUnits = new AtomicLong();
  private final AtomicLong markBytes = new AtomicLong();
  private final ExpiryEstimate expiry = new ExpiryEstimate();
  private volatile long writtenBytes;
  private volatile long syncedBytes;
  private volatile @Nullable FileMapping mapping;
  private volatile @Nullable RandomFile randomFile;
  private volatile @Nullable DirectFile direct;
  private volatile boolean triedDirect;
  private volatile long lastSequence;
  private volatile long cleanTo;
  private volatile boolean retired;
  private volatile boolean damaged;

  /**
   * Takes over the descriptor.
   *
   * @param number the number that locations name it by, from 1
   * @param writtenBytes everything before this offset can be read from the file
   */
  public DataFile(
      StoreDirectory directory, FileHeader header, int fd, int number, long writtenBytes) {
    this.directory = directory;
    this.header = header;
    this.salt = header.salt();
    this.descriptor =
        Descriptor.adopt(directory.calls(), fd, directory.pathOf(header.name().path()));
    this.number = number;
    this.writtenBytes = writtenBytes;
    this.syncedBytes = writtenBytes;
    this.cleanTo = header.cleanTo();
  }

  public FileHeader header() {
    return header;
  }

  public long salt() {
    return salt;
  }

  public int fd() {
    return descriptor.fd();
  }

  public int number() {
    return number;
  }

  public PosixPath path() {
    return descriptor.path();
  }

  public long writtenBytes() {
    return writtenBytes;
  }

  public void wrote(long endBytes) {
    writtenBytes = endBytes;
  }

  /** Returns the offset up to which everything is known to be on disk. */
  public long syncedBytes() {
    return syncedBytes;
  }

  public void synced(long endBytes) {
    syncedBytes = endBytes;
  }

  /** Returns the file for many reads at once, through the page cache. */
  public RandomFile randomFile() throws IOException {
    RandomFile file = randomFile;
    if (file == null) {
      file = RandomFile.shared(descriptor); // the advice for random reads was given before
      randomFile = file;
    }
    return file;
  }

  /**
   * Returns the file for reads past the page cache; null when opening it so has failed before.
   *
   * @throws IOException when opening it so fails now
   */
  public @Nullable DirectFile direct() throws IOException {
    return triedDirect ? direct : openDirect();
  }

  private synchronized @Nullable DirectFile openDirect() throws IOException {
    if (!triedDirect) {
      try {
        direct = DirectFile.open(directory, header);
      } finally {
        triedDirect = true;
      }
    }
    return direct;
  }

  /** Returns the file as mapped memory; null when it is not mapped (yet). */
  public @Nullable FileMapping mapping() {
    return mapping;
  }

  /** Takes over a mapping. */
  public void map(FileMapping mapped) {
    mapping = mapped;
  }

  /** Returns the number of records, including dead ones. */
  public long records() {
    return records.get();
  }

  /** Returns the length of all records, in units as of {@link #unitsOf}. */
  public long units() {
    return units.get();
  }

  /** Returns the length of the records that are the newest of their key. */
  public long liveUnits() {
    return liveUnits.get();
  }

  /** Returns the length of a record in 64-byte units, as far as its location tells. */
  public static long unitsOf(long location) {
    int bytes = Location.maxLengthBytes(location);
    return bytes == 0 ? Location.LENGTH_UNITS_LIMIT : bytes / Location.LENGTH_UNIT_BYTES;
  }

  public void added(long location) {
    count(records, 1);
    count(units, unitsOf(location));
  }

  public void addedMark() {
    markBytes.addAndGet(MARK_BYTES);
  }

  /** Returns the length of all marks written since the store was opened. */
  public long markBytes() {
    return Math.max(0, markBytes.get() - MARK_BYTES); // one is the seal
  }

  /** Counts a record that was {@link #added} and removes its key. */
  public void addedRemoval(long location) {
    addedRemovals(unitsOf(location));
  }

  public void addedRemovals(long unitCount) {
    removalUnits.addAndGet(unitCount);
  }

  /**
   * Returns the length of removals, as far as they were read or written since the store was opened.
   */
  public long removalUnits() {
    return removalUnits.get();
  }

  /** Returns when records expire, as far as is known. */
  public ExpiryEstimate expiry() {
    return expiry;
  }

  /** Returns the number of the last record of a sealed file, even of one that was vacuumed. */
  public long lastSequence() {
    return lastSequence;
  }

  public void endsWith(long sequence) {
    lastSequence = sequence;
  }

  /** Returns whether every record is the newest of its key. */
  public boolean isClean() {
    return liveUnits() == units();
  }

  /**
   * Returns a number: no record in the file is of a key that had a newer record with at most this
   * number.
   */
  public long cleanTo() {
    return cleanTo;
  }

  public void markCleanTo(long sequence) {
    cleanTo = Math.max(cleanTo, sequence); // by one thread at a time: the vacuum
  }

  /** Returns whether another file has replaced it. */
  public boolean isRetired() {
    return retired;
  }

  void retire() {
    retired = true;
    FileMapping mapped = mapping;
    if (mapped != null) {
      mapped.giveUp(); // nobody looks any more what of it is in memory
    }
  }

  /** Returns whether the vacuum has found it damaged, and leaves it as it is. */
  public boolean isDamaged() {
    return damaged;
  }

  public void foundDamaged() {
    damaged = true;
  }

  public void addedBefore(long recordCount, long unitCount, long liveUnitCount) {
    records.addAndGet(recordCount);
    units.addAndGet(unitCount);
    liveUnits.addAndGet(liveUnitCount);
  }

  public void lives(long location) {
    count(liveUnits, unitsOf(location));
  }

  public void died(long location) {
    count(liveUnits, -unitsOf(location));
  }

  /** Only holders of the append lock count, so a plain read and a release write will do. */
  private static void count(AtomicLong counter, long change) {
    counter.setRelease(counter.getPlain() + change);
  }

  /** Adds a holder. Only for callers that know that it is open. */
  public DataFile retain() {
    holders.incrementAndGet();
    return this;
  }

  /** Returns whether it has a holder; if not, its number may be given to another file. */
  boolean isOpen() {
    return holders.get() > 0;
  }

  /** Closes it for one holder: the one that opened it, or one that {@link #retain retained} it. */
  @Override
  public void close() throws ErrnoException {
    if (holders.decrementAndGet() == 0) {
      try (descriptor) {
        FileMapping mapped = mapping;
        if (mapped != null) {
          mapped.close();
        }
        DirectFile opened = direct;
        if (opened != null) {
          opened.close();
        }
      }
    }
  }
}
