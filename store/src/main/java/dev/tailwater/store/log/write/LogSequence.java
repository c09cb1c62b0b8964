package dev.tailwater.store.log.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.EntryVersion;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.FrameWriter;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.recovery.StoreContents;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The logs of an open store: appends to the newest, and switches to a new one for compaction. Used
 * by one thread at a time; {@link #totalBytes()} by any.
 */
public final class LogSequence implements AutoCloseable {
  private final StoreDirectory directory;
  private final RandomGenerator random;
  private final FrameWriter writer;
  private Log log;
  private final AtomicLong earlierBytes;
  private volatile long newestBytes;

  /** The name of the newest log. */
  private volatile PosixPath newestName;

  private LogSequence(
      StoreDirectory directory,
      RandomGenerator random,
      FrameWriter writer,
      Log log,
      long earlierBytes) {
    this.directory = directory;
    this.random = random;
    this.writer = writer;
    this.log = log;
    this.earlierBytes = new AtomicLong(earlierBytes);
    this.newestBytes = log.endBytes();
    this.newestName = nameOf(log);
  }

  private static PosixPath nameOf(Log log) {
    return new LogFileName(FileKind.LOG, log.header().sequence()).path();
  }

  /** Continues after what was read, or begins a new store. */
  public static LogSequence open(
      StoreDirectory directory, StoreContents contents, RandomGenerator random) throws IOException {
    FrameWriter writer = new FrameWriter(directory.calls());
    try {
      Optional<StoreContents.LogEnd> end = contents.logEnd();
      Log log =
          end.isPresent()
              ? Log.reopen(directory, writer, end.get())
              : Log.create(directory, writer, firstHeader(random));
      return new LogSequence(directory, random, writer, log, contents.earlierLogBytes());
    } catch (Throwable failed) {
      writer.close();
      throw failed;
    }
  }

  private static FileHeader firstHeader(RandomGenerator random) {
    return new FileHeader(
        FileHeader.VERSION, FileKind.LOG, 1, random.nextLong(), random.nextLong());
  }

  /** Returns the length of all logs that would be replayed now. */
  public long totalBytes() {
    return earlierBytes.get() + newestBytes;
  }

  /** Returns the name of the newest log if it was removed by somebody else. Any thread may. */
  public Optional<PosixPath> removed() throws ErrnoException {
    PosixPath name = newestName;
    while (!directory.has(name)) {
      if (name.equals(newestName)) {
        return Optional.of(name);
      }
      name = newestName; // A snapshot has replaced it.
    }
    return Optional.empty();
  }

  /** Returns the version of the next operation. */
  long nextVersion() {
    return EntryVersion.of(log.header().sequence(), log.operations());
  }

  /** Returns whether the newest log may hold full puts; if not, the next one may. */
  boolean takesFullPuts() {
    return log.header().version() != FileHeader.OLD_VERSION;
  }

  /** Returns whether this log has versions for so many more operations. */
  boolean hasVersionsFor(int operations) {
    return log.operations() + operations <= EntryVersion.MAX_OPERATIONS;
  }

  void append(List<Operation> operations) throws StoreException {
    log.append(operations);
    newestBytes = log.endBytes();
  }

  /** The sealed logs that a snapshot is to replace: its header, and their length together. */
  record Sealed(FileHeader snapshotHeader, long logBytes) {}

  /**
   * Seals the newest log and switches to a new one. After a {@link StoreWriteException} the old one
   * is still the newest.
   */
  Sealed rotate() throws StoreException {
    Log old = log;
    old.seal();
    newestBytes = old.endBytes();
    long sequence = old.header().sequence();
    log = Log.create(directory, writer, headerOf(FileKind.LOG, sequence + 1));
    long sealedBytes = earlierBytes.addAndGet(old.endBytes());
    newestBytes = log.endBytes();
    newestName = nameOf(log);
    try {
      old.close();
    } catch (ErrnoException failed) {
      // Everything in it was synced; yet a descriptor that cannot be closed is no small thing.
      throw new StoreFailedException(directory.path(), failed);
    }
    return new Sealed(headerOf(FileKind.SNAPSHOT, sequence), sealedBytes);
  }

  /** Subtracts logs that a snapshot has replaced. Any thread may call it. */
  void replaced(Sealed sealed) {
    earlierBytes.addAndGet(-sealed.logBytes());
  }

  private FileHeader headerOf(FileKind kind, long sequence) {
    return new FileHeader(
        FileHeader.VERSION, kind, sequence, log.header().storeId(), random.nextLong());
  }

  /** Seals the log, so that damage to its last frame can be told from a torn tail. */
  public void sealAtEnd() throws StoreException {
    if (log.hasUnsealedFrames()) {
      log.seal();
    }
  }

  @Override
  public void close() throws ErrnoException {
    try {
      log.close();
    } finally {
      writer.close();
    }
  }
}
