package dev.tailwater.store.files;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A directory {@code damaged-TIME} in a store's directory. It keeps the files that a repair
 * replaces, or that a new store starts without. The store never reads it; the user deletes it.
 */
public final class SetAside implements AutoCloseable {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final int COPY_BYTES = 1024 * 1024;
  private static final int MOST_IN_A_SECOND = 100;

  private final StoreDirectory store;
  private final StoreDirectory aside;

  private SetAside(StoreDirectory store, StoreDirectory aside) {
    this.store = store;
    this.aside = aside;
  }

  /** Creates the directory. */
  public static SetAside make(StoreDirectory store, Instant now) throws ErrnoException {
    return make(store, "damaged-", now);
  }

  /** Creates the directory, with a name that begins with the prefix. */
  public static SetAside make(StoreDirectory store, String prefix, Instant now)
      throws ErrnoException {
    String name = prefix + TIME.format(now);
    for (int i = 1; ; i++) {
      try {
        PosixPath path = PosixPath.of(i == 1 ? name : name + "-" + i);
        return new SetAside(store, store.makeDirectory(path));
      } catch (ErrnoException failed) {
        if (failed.errno() != Errno.EEXIST || i == MOST_IN_A_SECOND) {
          throw failed;
        }
      }
    }
  }

  /** Where it is. */
  public PosixPath path() {
    return aside.path();
  }

  /**
   * Keeps a file: as a hard link, or as a copy where the file system has no hard links. Does
   * nothing when the file is not there.
   */
  public void keep(PosixPath name) throws ErrnoException {
    try {
      store.link(name, aside);
    } catch (ErrnoException failed) {
      switch (failed.errno()) {
        case ENOENT -> {}
        case EPERM, EMLINK, EOPNOTSUPP, ENOSYS, EXDEV -> copy(name);
        default -> throw failed;
      }
    }
  }

  /** Moves a file here. Durable after {@link #sync()}. */
  public void move(PosixPath name) throws ErrnoException {
    store.move(name, aside);
  }

  private void copy(PosixPath name) throws ErrnoException {
    FileCalls calls = store.calls();
    int from = store.openToRead(name);
    try (Arena arena = Arena.ofConfined()) {
      int to = aside.create(name);
      try {
        MemorySegment memory = arena.allocate(COPY_BYTES);
        long at = 0;
        int read;
        while ((read = Transfers.readFully(calls, from, memory, at)) > 0) {
          Transfers.writeAll(calls, to, memory.asSlice(0, read), at);
          at += read;
        }
        calls.fsync(to);
      } finally {
        calls.close(to);
      }
    } finally {
      calls.close(from);
    }
  }

  /** Makes everything that is kept durable. */
  public void sync() throws ErrnoException {
    aside.sync();
    store.sync();
  }

  @Override
  public void close() throws ErrnoException {
    aside.close();
  }
}
