package dev.tailwater.io.watch.early;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.EventMask;
import dev.tailwater.io.watch.event.EventParser;
import dev.tailwater.io.watch.event.EventSource;
import dev.tailwater.io.watch.event.WakeUp;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * A second inotify(7) queue for nothing but names that come and go, read by a thread of its own as
 * soon as there is an event. Writes do not wake it, so it need not collect events, and whoever
 * listens can open a file before it is deleted again.
 *
 * <p>It only adds to what the watch does: the watch sees every event in its own queue too. A
 * directory that appears is watched and listed at once, before the watch knows it; if the watch
 * does not take it up soon, its watch is removed.
 *
 * <p>{@link #run} and the listener belong to one thread, {@link #watch}, {@link #release}, {@link
 * #settle} and {@link #close} to the thread of the watch.
 */
public final class EarlyNames implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Entries of a new directory that are told; with more, it was not made just now. */
  private static final int MAX_LISTED = 1_000;

  private static final int CLAIM_CHECK_MILLIS = 1_000;
  private static final int QUIET_MILLIS = 60_000;
  private static final int AFTER_FAILURE_MILLIS = 100;

  private final FileCalls calls;
  private final DirectoryOpener opener;
  private final Wanted wanted;
  private final NameListener listener;
  private final int fd;
  private final WakeUp wakeUp;
  private final WakeUp watchWakeUp;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
  private final EarlyWatches watches;

  /** Used by the thread of {@link #run} only, as the next one is. */
  private final NewDirectories unclaimed;

  private Optional<Half> half = Optional.empty();
  private final EventParser.Handler handler = this::event;

  private final ReadingProgress progress;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private boolean closed;

  private volatile boolean told;

  /** The first half of a rename; the kernel queues the second right after it. */
  private record Half(int cookie, PosixPath path, boolean wanted) {}

  private EarlyNames(
      FileCalls calls,
      LongSupplier nanoClock,
      DirectoryOpener opener,
      Wanted wanted,
      NameListener listener,
      int fd,
      WakeUp wakeUp,
      WakeUp watchWakeUp) {
    this.calls = calls;
    this.progress = new ReadingProgress(calls, nanoClock, fd);
    this.unclaimed = new NewDirectories(nanoClock);
    this.opener = opener;
    this.wanted = wanted;
    this.listener = listener;
    this.fd = fd;
    this.watches = new EarlyWatches(calls, fd, listener);
    this.wakeUp = wakeUp;
    this.watchWakeUp = watchWakeUp;
  }

  /**
   * Opens the queue.
   *
   * @param watchWakeUp ends a wait of the watch
   * @throws ErrnoException EMFILE (too many inotify instances of the user, or descriptors), ENFILE,
   *     ENOMEM
   */
  public static EarlyNames open(
      FileCalls calls,
      LongSupplier nanoClock,
      DirectoryOpener opener,
      Wanted wanted,
      NameListener listener,
      WakeUp watchWakeUp)
      throws ErrnoException {
    int fd = calls.inotifyInit();
    boolean opened = false;
    try {
      WakeUp wakeUp = WakeUp.open(calls);
      opened = true;
      return new EarlyNames(calls, nanoClock, opener, wanted, listener, fd, wakeUp, watchWakeUp);
    } finally {
      if (!opened) {
        calls.close(fd);
      }
    }
  }

  /** Tells the listener of names until this is closed. A failure is told, and ends nothing. */
  public void run() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      running = true;
    }
    try {
      while (!isClosed()) {
        try {
          serve();
        } catch (Throwable e) {
          failed(e);
        }
      }
    } finally {
      free();
    }
  }

  private boolean isClosed() {
    synchronized (lock) {
      return closed;
    }
  }

  private void serve() throws ErrnoException {
    boolean ready =
        wakeUp.await(
            fd, EventSource.NO_FD, unclaimed.isEmpty() ? QUIET_MILLIS : CLAIM_CHECK_MILLIS);
    if (ready) {
      progress.begin();
      try {
        listener.reading();
        drain();
        listener.caughtUp();
      } finally {
        progress.end();
      }
      if (progress.takeAwaited()) {
        watchWakeUp.call();
      }
    } else {
      endHalf(); // Its second half would have come by now.
    }
    unclaimed.removeOld(watch -> attempt(() -> watches.releaseUnclaimed(watch)));
  }

  private void drain() throws ErrnoException {
    while (!isClosed()) {
      int lengthBytes = calls.inotifyRead(fd, buffer);
      if (lengthBytes == 0) {
        return;
      }
      EventParser.parse(buffer, lengthBytes, handler);
    }
  }

  private void event(int watch, int mask, int cookie, PosixPath name) {
    try {
      tell(watch, mask, cookie, name);
    } catch (RuntimeException | Error e) {
      failed(e); // The other events of this read are told all the same.
    }
  }

  private void failed(Throwable why) {
    try {
      listener.failed(why);
      if (!isClosed()) {
        Thread.sleep(AFTER_FAILURE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // Whatever cannot be reported must not end the only thread that reads the queue.
      why.addSuppressed(e);
    }
  }

  private void tell(int watch, int mask, int cookie, PosixPath name) {
    if ((mask & EventMask.OVERFLOW) != 0) {
      half = Optional.empty();
      listener.overflowed();
      return;
    }
    Optional<Half> from =
        half.filter(first -> (mask & EventMask.MOVED_TO) != 0 && first.cookie() == cookie);
    if (from.isPresent()) {
      half = Optional.empty();
    } else {
      endHalf();
    }
    if ((mask & EventMask.IGNORED) != 0) {
      watches.dropped(watch);
      return;
    }
    Optional<EarlyDirectory> found = watches.find(watch);
    if (found.isEmpty() || name.isEmpty()) {
      from.filter(Half::wanted).ifPresent(first -> listener.movedOut(first.path()));
      return;
    }
    EarlyDirectory directory = found.get();
    PosixPath path = directory.path().resolve(name);
    if ((mask & EventMask.IS_DIRECTORY) == 0) {
      tellFile(mask, cookie, path, from, wanted.isWanted(directory, path));
    } else if ((mask & (EventMask.CREATE | EventMask.MOVED_TO)) != 0) {
      enter(path);
    }
  }

  private void tellFile(
      int mask, int cookie, PosixPath path, Optional<Half> from, boolean isWanted) {
    if ((mask & EventMask.MOVED_FROM) != 0) {
      half = Optional.of(new Half(cookie, path, isWanted));
      return;
    }
    Optional<PosixPath> wantedFrom = from.filter(Half::wanted).map(Half::path);
    if (!isWanted) {
      wantedFrom.ifPresent(listener::movedOut);
      return;
    }
    told = true;
    if ((mask & EventMask.DELETE) != 0) {
      listener.deleted(path);
    } else if ((mask & EventMask.CREATE) != 0) {
      listener.created(path);
    } else if (wantedFrom.isPresent()) {
      listener.renamed(wantedFrom.get(), path);
    } else {
      listener.movedIn(path);
    }
  }

  /** A rename without a second half leads to where nothing is watched. */
  private void endHalf() {
    half.filter(Half::wanted).ifPresent(first -> listener.movedOut(first.path()));
    half = Optional.empty();
  }

  /** Watches a new directory and tells what is in it already, and so on below it. */
  private void enter(PosixPath top) {
    DirectoriesToEnter left = new DirectoriesToEnter();
    Optional<EarlyDirectory> next = wanted.directory(top);
    while (next.isPresent() && !watches.isExhausted() && unclaimed.hasRoom()) {
      EarlyDirectory directory = next.get();
      for (DirectoryEntry entry : watchAndList(directory)) {
        PosixPath found = directory.path().resolve(entry.name());
        if (entry.type() == EntryType.DIRECTORY) {
          wanted.directory(found).ifPresent(_ -> left.offer(found));
        } else if (mayBeFile(entry) && wanted.isWanted(directory, found)) {
          told = true;
          listener.listed(found);
        }
      }
      next = left.poll().flatMap(wanted::directory);
    }
  }

  /** Watches a directory and returns its first entries; none if it was watched before. */
  private List<DirectoryEntry> watchAndList(EarlyDirectory fresh) {
    List<DirectoryEntry> entries = new ArrayList<>();
    try (Descriptor directory = opener.open(fresh.root(), fresh.path())) {
      if (wanted.leftOut().isPresent()
          && wanted.leftOut().get().test(calls.fstat(directory.fd()))) {
        return entries;
      }
      OptionalInt watch = watches.watchNew(fresh, directory.fd());
      if (watch.isPresent()) {
        unclaimed.add(watch.getAsInt());
        list(directory.fd(), entries);
      }
    } catch (ErrnoException e) {
      // Gone again, or not to be had: the watch looks at its next tick, and reports.
    }
    return entries;
  }

  private void list(int directoryFd, List<DirectoryEntry> entries) throws ErrnoException {
    boolean more = true;
    while (more && entries.size() < MAX_LISTED) {
      more =
          calls.nextEntries(
              directoryFd,
              entry -> {
                if (entries.size() < MAX_LISTED) {
                  entries.add(entry);
                }
              });
    }
  }

  private static boolean mayBeFile(DirectoryEntry entry) {
    return entry.type() == EntryType.REGULAR || entry.type() == EntryType.UNKNOWN;
  }

  /**
   * Tells the new names of a directory early from now on, under its present path. Does nothing if
   * that is so already. If the user's watches are used up, all directories are given up.
   */
  public void watch(DirectoryNode node, int directoryFd) throws ErrnoException {
    watches.watch(node, directoryFd);
  }

  /**
   * Gives all directories up for good, since somebody needs the user's inotify watches more.
   *
   * @return whether there was any
   */
  public boolean giveUp(ErrnoException why) throws ErrnoException {
    return watches.giveUp(why);
  }

  /** Stops telling the new names of a directory. */
  public void release(DirectoryNode node) throws ErrnoException {
    watches.release(node);
  }

  /** Returns the number of directories whose new names are told early. */
  public int directoryCount() {
    return watches.count();
  }

  /**
   * Waits until everything that happened before the call is told. After a time-out, the watch is to
   * be woken when that is done.
   *
   * @return whether everything is told
   */
  public boolean settle(long timeoutMillis) throws ErrnoException {
    return progress.settle(timeoutMillis, this::isServing);
  }

  /** Returns whether {@link #settle} has stopped waiting, and not everything was told since. */
  public boolean wasBehind() {
    return progress.wasBehind();
  }

  /** Returns whether something may have happened by now that is not told yet. */
  public boolean isBehind() {
    return progress.isBehind();
  }

  private boolean isServing() {
    synchronized (lock) {
      return running && !closed;
    }
  }

  /** Returns whether the listener was told anything since the last call. */
  public boolean takeTold() {
    boolean was = told;
    told = false;
    return was;
  }

  /** Ends {@link #run}, which frees the queue. */
  @Override
  public void close() throws ErrnoException {
    boolean isRunning;
    synchronized (lock) {
      closed = true;
      isRunning = running;
    }
    if (isRunning) {
      wakeUp.call();
    } else {
      free();
    }
  }

  private void free() {
    arena.close();
    attempt(wakeUp::close);
    attempt(() -> calls.close(fd));
  }

  private interface Closing {
    void close() throws ErrnoException;
  }

  private void attempt(Closing closing) {
    try {
      closing.close();
    } catch (ErrnoException e) {
      listener.failed(e); // Linux frees the descriptor or the watch all the same.
    }
  }
}
