package dev.tailwater.store.datafile.write;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.AllocateFlag;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.HintLog;
import dev.tailwater.store.datafile.file.LogEnd;
import dev.tailwater.store.datafile.file.TailBuffer;
import dev.tailwater.store.datafile.file.TooManyFilesException;
import dev.tailwater.store.datafile.file.ZeroFill;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.Mark;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordEncoder;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import java.util.EnumSet;

/**
 * The log of records: appends to the newest data file, and rolls over to a new one when it is full.
 * Used with the append lock held.
 *
 * <p>Space is reserved before anything is written, so that a full disk only refuses a write; after
 * any later failure the store takes no more writes.
 */
public final class RecordLog implements AutoCloseable {
  private static final int MARK_BYTES = RecordHeader.LENGTH_BYTES + 16;

  /** Room for a mark before a write, and a seal after it. */
  private static final int ROOM_FOR_MARKS = 2 * MARK_BYTES;

  private static final long MIN_RESERVE_BYTES = 64 * 1024;
  private static final long MAX_RESERVE_BYTES = 8 * 1024 * 1024;

  private final StoreDirectory directory;
  private final DataFiles files;
  private final DataFileCreator creator;
  private final long fileBytes;
  private final HintLog hints;
  private final TailBuffer tail;
  private final ZeroFill zeroFill;
  private final RecordEncoder encoder = new RecordEncoder();
  private DataFile file;
  private long lastSequence;
  private long durableBytes;
  private long markedBytes;
  private long reservedBytes;

  /** Offset up to which there may be zeros behind the end. */
  private long zeroedBytes;

  private boolean reserves = true;
  private boolean sealed;
  private int placedFlags;
  private long placedHash;

  /**
   * Continues the last file, which is durable.
   *
   * @param hints receives each record and each file
   */
  public RecordLog(
      DataFiles files,
      DataFileCreator creator,
      long fileBytes,
      ZeroFill zeroFill,
      HintLog hints,
      long lastSequence,
      boolean sealed) {
    this.directory = creator.directory();
    this.files = files;
    this.creator = creator;
    this.fileBytes = fileBytes;
    this.zeroFill = zeroFill;
    this.lastSequence = lastSequence;
    this.sealed = sealed;
    this.hints = hints;
    this.file = files.inOrder().getLast();
    this.durableBytes = file.writtenBytes();
    this.markedBytes = sealed ? durableBytes : FileHeader.LENGTH_BYTES;
    this.reservedBytes = durableBytes;
    this.tail = new TailBuffer(directory.calls(), file, durableBytes);
    if (durableBytes == FileHeader.LENGTH_BYTES) {
      hints.begin(file);
    }
  }

  public TailBuffer tail() {
    return tail;
  }

  DataFile file() {
    return file;
  }

  long endBytes() {
    return tail.endBytes();
  }

  public long lastSequence() {
    return lastSequence;
  }

  /** Returns the bytes that are not known to be on disk. */
  long undurableBytes() {
    return tail.endBytes() - durableBytes;
  }

  /**
   * Reserves space for records of this total length in one file.
   *
   * @throws StoreWriteException when there is no space; nothing was changed
   */
  void reserve(long lengthBytes) throws StoreException {
    long needed = lengthBytes + ROOM_FOR_MARKS;
    if (tail.endBytes() + needed >= Location.OFFSET_LIMIT) {
      rollOver();
    } else if (tail.endBytes() + needed > fileBytes && file.records() > 0 && mayRollOver()) {
      rollOver();
    }
    long end = tail.endBytes() + needed;
    if (reserves && end > reservedBytes) {
      long more = Math.clamp(end / 2, MIN_RESERVE_BYTES, MAX_RESERVE_BYTES);
      reserveSpace(Math.max(end, Math.min(reservedBytes + more, fileBytes)));
    }
  }

  /** Returns whether another file may be open; while none may, the newest becomes longer. */
  boolean mayRollOver() {
    return files.hasRoom();
  }

  private void reserveSpace(long endBytes) throws StoreWriteException {
    try {
      directory
          .calls()
          .fallocate(
              file.fd(),
              EnumSet.of(AllocateFlag.KEEP_SIZE),
              reservedBytes,
              endBytes - reservedBytes);
      reservedBytes = endBytes;
    } catch (ErrnoException failed) {
      Errno errno = failed.errno();
      if (errno != Errno.EOPNOTSUPP && errno != Errno.ENOSYS && errno != Errno.EINVAL) {
        throw new StoreWriteException(directory.path(), failed);
      }
      reserves = false; // the file system cannot: when the disk is full, the store will fail
    }
  }

  /**
   * Appends a record for which space was reserved, and returns its location.
   *
   * @param flags of {@link RecordHeader}, in addition to those of the data
   * @param hash the key's
   * @throws ErrnoException when it is unknown how much of it was written
   */
  long append(RecordData data, int flags, long hash) throws ErrnoException {
    long location = place(data, flags, hash);
    keep(location, data);
    return location;
  }

  /**
   * As {@link #append}, but the caller must call {@link #keep} or {@link #takeBack} next. The
   * record must be one that {@link #canTakeBack}.
   */
  long place(RecordData data, int flags, long hash) throws ErrnoException {
    markDurable();
    long offset = tail.endBytes();
    encoder.encode(data, flags, lastSequence + 1, file.header().salt(), offset);
    placedFlags = flags;
    placedHash = hash;
    tail.append(encoder.head(), encoder.headBytes(), data.key(), data.tags(), data.value());
    return Location.of(file.number(), offset, (int) (tail.endBytes() - offset));
  }

  /** Returns whether a record of this length stays in memory until another is appended. */
  static boolean canTakeBack(int lengthBytes) {
    return lengthBytes <= TailBuffer.CAPACITY_BYTES;
  }

  void keep(long location, RecordData data) {
    lastSequence++;
    sealed = false;
    file.added(location);
    if (data.removes()) {
      file.addedRemoval(location);
    }
    if (data.expiresAtMillis() != 0) {
      file.expiry().add(data.expiresAtMillis(), DataFile.unitsOf(location));
    }
    long offset = Location.offsetBytes(location);
    int lengthBytes = (int) (tail.endBytes() - offset);
    hints.added(placedHash, data, placedFlags, offset, lengthBytes, lastSequence);
  }

  void takeBack(long location) {
    tail.takeBackTo(Location.offsetBytes(location));
  }

  private void markDurable() throws ErrnoException {
    // Never within a batch: nothing becomes durable while one is being appended.
    if (durableBytes > markedBytes) {
      appendMark(new Mark(durableBytes, false));
      markedBytes = durableBytes;
    }
  }

  private void appendMark(Mark mark) throws ErrnoException {
    byte[] bytes = encoder.mark(mark, lastSequence, file.header().salt(), tail.endBytes());
    tail.append(bytes, bytes.length);
    file.addedMark();
  }

  /** Returns what is appended by now, to be {@linkplain #write written}. */
  LogEnd end(boolean toBeSynced) {
    long endBytes = tail.endBytes();
    long zeroEndBytes = 0;
    if (toBeSynced && reserves) {
      zeroEndBytes = zeroFill.next(endBytes - durableBytes, endBytes, zeroedBytes, reservedBytes);
      zeroedBytes = Math.max(zeroedBytes, zeroEndBytes);
    }
    return new LogEnd(file, endBytes, lastSequence, zeroEndBytes);
  }

  /** Writes it to the file; may run while others append. */
  void write(LogEnd end) throws ErrnoException {
    if (!tail.write(end.file(), end.endBytes(), end.zeroEndBytes())) {
      zeroFill.stop();
    }
  }

  /** Called when a file has been synced up to there. */
  void onDurable(LogEnd end) {
    DataFile synced = end.file();
    synced.synced(Math.max(synced.syncedBytes(), end.endBytes()));
    if (synced == file && end.endBytes() > durableBytes) {
      durableBytes = end.endBytes();
      hints.onDurable(durableBytes, end.lastSequence(), false);
    }
  }

  /** Seals the file and creates the next. */
  void rollOver() throws StoreException {
    if (!mayRollOver()) {
      throw new StoreWriteException(
          directory.path(), new TooManyFilesException(files.inOrder().size()));
    }
    DataFileCreator.Unpublished next = creator.create(file.header().name().next());
    try {
      seal();
    } catch (ErrnoException failed) {
      next.discard(failed);
      throw new StoreFailedException(directory.path(), failed);
    }
    DataFile full = file;
    full.endsWith(lastSequence);
    file = next.publish(files);
    durableBytes = file.writtenBytes();
    markedBytes = durableBytes;
    reservedBytes = durableBytes;
    zeroedBytes = durableBytes;
    sealed = false;
    tail.continueIn(file, durableBytes);
    hints.rollOver(full, file);
  }

  /** Makes everything durable, and seals the file. */
  void seal() throws ErrnoException {
    FileCalls calls = directory.calls();
    if (!sealed) {
      // What the seal calls durable must be durable before the seal is written.
      tail.write(file, tail.endBytes(), 0);
      calls.fdatasync(file.fd());
      appendMark(new Mark(tail.endBytes(), true));
      tail.write(file, tail.endBytes(), 0);
    }
    if (Math.max(reservedBytes, zeroedBytes) > tail.endBytes()) {
      tail.endFilling(); // or a leader could write zeros behind the seal
      calls.truncate(file.fd(), tail.endBytes()); // frees what was reserved or filled
    }
    calls.fsync(file.fd());
    durableBytes = tail.endBytes();
    file.synced(durableBytes);
    sealed = true;
    hints.onDurable(durableBytes, lastSequence, true);
  }

  @Override
  public void close() {
    try (tail) {
      hints.close();
    }
  }
}
