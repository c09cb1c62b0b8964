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
 * Appends records to the newest data file, and goes over to a new one when it is full. Used by one
 * thread at a time, which holds the store's append lock.
 *
 * <p>Space is reserved before anything is written, so that a full disk refuses a write and nothing
 * else; whatever fails later ends the taking of writes.
 */
public final class RecordLog implements AutoCloseable {
  private static final int MARK_BYTES = RecordHeader.LENGTH_BYTES + 16;

  /** For a mark in front of a write, and a seal behind it. */
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

  /** Behind the end, there may be zeros up to here. */
  private long zeroedBytes;

  private boolean reserves = true;
  private boolean sealed;
  private int placedFlags;
  private long placedHash;

  /**
   * Goes on behind the last file, of which everything is durable.
   *
   * @param hints told of each record and each file
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

  /** Bytes that are not known to be on disk. */
  long undurableBytes() {
    return tail.endBytes() - durableBytes;
  }

  /**
   * Sees to it that records of this length together can be appended to one file.
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

  /** Whether another file may be open; while none may, this one becomes longer. */
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
      reserves = false; // this file system cannot: a full disk will end the taking of writes
    }
  }

  /**
   * Appends a record for which space was reserved, and returns its location.
   *
   * @param flags of {@link RecordHeader}, besides those that the data needs
   * @param hash the key's
   * @throws ErrnoException when it is unknown how much of it was written
   */
  long append(RecordData data, int flags, long hash) throws ErrnoException {
    long location = place(data, flags, hash);
    keep(location, data);
    return location;
  }

  /**
   * As {@link #append}, but the record is there only when {@link #keep} or {@link #takeBack} was
   * called next. It must be one that {@link #canTakeBack}.
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

  /** Whether a record of this length lies in memory until another is appended. */
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
    // Not within a batch: durability is never learnt while one is being appended.
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

  /** What is appended by now, to be handed to the kernel by {@link #write}. */
  LogEnd end(boolean toBeSynced) {
    long endBytes = tail.endBytes();
    long zeroEndBytes = 0;
    if (toBeSynced && reserves) {
      zeroEndBytes = zeroFill.next(endBytes - durableBytes, endBytes, zeroedBytes, reservedBytes);
      zeroedBytes = Math.max(zeroedBytes, zeroEndBytes);
    }
    return new LogEnd(file, endBytes, lastSequence, zeroEndBytes);
  }

  /** Hands it to the kernel; may run while others append. */
  void write(LogEnd end) throws ErrnoException {
    if (!tail.write(end.file(), end.endBytes(), end.zeroEndBytes())) {
      zeroFill.stop();
    }
  }

  /** Somebody has synced this file up to there. */
  void onDurable(LogEnd end) {
    DataFile synced = end.file();
    synced.synced(Math.max(synced.syncedBytes(), end.endBytes()));
    if (synced == file && end.endBytes() > durableBytes) {
      durableBytes = end.endBytes();
      hints.onDurable(durableBytes, end.lastSequence(), false);
    }
  }

  /** Seals the file and makes another. */
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

  /** Everything is durable, and the file says so. */
  void seal() throws ErrnoException {
    FileCalls calls = directory.calls();
    if (!sealed) {
      // What the seal calls durable has to be so before it is written.
      tail.write(file, tail.endBytes(), 0);
      calls.fdatasync(file.fd());
      appendMark(new Mark(tail.endBytes(), true));
      tail.write(file, tail.endBytes(), 0);
    }
    if (Math.max(reservedBytes, zeroedBytes) > tail.endBytes()) {
      tail.endFilling(); // a leader may be about to, and then there would be zeros behind the seal
      calls.truncate(file.fd(), tail.endBytes()); // gives back what was reserved or filled
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
