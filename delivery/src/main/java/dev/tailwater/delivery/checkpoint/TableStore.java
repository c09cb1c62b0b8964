package dev.tailwater.delivery.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileStore;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The open store of the table of files. After a failure that ends writing, such as EIO, the next
 * write opens the store again, if the disk takes writes: an agent whose disk works again need not
 * be restarted. Until then the store can still be read, so that new files are found. Thread-safe.
 */
final class TableStore implements AutoCloseable {
  private final Opening opening;

  /** Who uses the store holds the read lock; who replaces it, the write lock. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

  /** Empty while it cannot be opened again. */
  private volatile Optional<KeyValueStore> store;

  /** Whether the store takes no more writes. */
  private volatile boolean failed;

  @GuardedBy("lock")
  private boolean closed;

  /** Opens the store. */
  interface Opening {
    KeyValueStore open() throws IOException;

    /** Throws when the disk takes no writes, so that the store could not be opened. */
    default void check() throws IOException {}
  }

  /** Something that is done with the store. */
  interface Use<T> {
    T with(KeyValueStore store) throws IOException;
  }

  private TableStore(Opening opening, KeyValueStore store) {
    this.opening = opening;
    this.store = Optional.of(store);
  }

  static TableStore open(Opening opening) throws IOException {
    return new TableStore(opening, opening.open());
  }

  /** Returns one that is never opened again. */
  static TableStore of(KeyValueStore store) {
    return new TableStore(() -> store, store);
  }

  /** Reads from the store. What is read is what is durable, also after a failed write. */
  <T> T read(Use<T> use) throws IOException {
    if (store.isEmpty()) {
      reopen();
    }
    lock.readLock().lock();
    try {
      return use.with(present());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Returns what somebody has removed of the open store, or replaced. */
  Optional<PosixPath> removed() throws ErrnoException {
    lock.readLock().lock();
    try {
      return store.isPresent() && store.get() instanceof DataFileStore open
          ? open.removed()
          : Optional.empty();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Does what {@link #apply(WriteBatch, WriteOptions)} does, and waits for the disk. */
  void apply(WriteBatch batch) throws IOException {
    apply(batch, WriteOptions.defaults());
  }

  /**
   * Applies all changes of the batch, or none.
   *
   * @throws StoreFailedException when it is unknown whether that was done; the next call opens the
   *     store again
   */
  void apply(WriteBatch batch, WriteOptions options) throws IOException {
    if (failed) {
      reopen();
    }
    lock.readLock().lock();
    try {
      present().apply(batch, options);
    } catch (StoreFailedException e) {
      failed = true;
      throw e;
    } finally {
      lock.readLock().unlock();
    }
  }

  private KeyValueStore present() throws IOException {
    return store.orElseThrow(() -> new IOException("the table of files is not open"));
  }

  private void reopen() throws IOException {
    lock.writeLock().lock();
    try {
      if (closed || !failed) {
        return;
      }
      if (store.isPresent()) {
        opening.check();
        KeyValueStore before = store.get();
        store = Optional.empty();
        closeUnsealed(before);
      }
      store = Optional.of(opening.open());
      failed = false;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Closes a store. Whether each write was made was said by then, so it does no harm when the end
   * cannot be sealed: the next opening takes longer.
   */
  private static void closeUnsealed(KeyValueStore before) throws IOException {
    try {
      before.close();
    } catch (StoreException e) {
      if (!(e instanceof StoreFailedException)) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    lock.writeLock().lock();
    try {
      closed = true;
      if (store.isPresent()) {
        KeyValueStore before = store.get();
        store = Optional.empty();
        closeUnsealed(before);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
