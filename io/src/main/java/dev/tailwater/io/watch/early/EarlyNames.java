package dev.tailwater.io.watch.early;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.watch.event.DirectoryNode;
import dev.tailwater.io.watch.event.EventMask;
import dev.tailwater.io.watch.event.EventParser;
import dev.tailwater.io.watch.event.EventSource;
import dev.tailwater.io.watch.event.WakeUp;
import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A second inotify(7) queue for nothing but new names, read by a thread of its own as soon as there
 * is an event. Writes do not wake it, so it need not collect events, and whoever listens can open a
 * file before it is deleted again.
 *
 * <p>It only adds to what the watch does: the watch sees every event in its own queue too. A
 * directory that appears is watched and listed at once, before the watch knows it; if the watch
 * does not take it up soon, its watch is removed.
 *
 * <p>{@link #run} and the listener belong to one thread, {@link #watch}, {@link #release}, {@link
 * #settle} and {@link #close} to the thread of the watch.
 */
public final class EarlyNames implements AutoCloseable {
  private static final Set<WatchEvent> EVENTS =
      EnumSet.of(
          WatchEvent.CREATE, WatchEvent.MOVED_FROM, WatchEvent.MOVED_TO, WatchEvent.ONLY_DIRECTORY);

  /** In a directory that the watch does not know yet. */
  private static final Set<WatchEvent> EVENTS_OF_UNCLAIMED = EnumSet.copyOf(EVENTS);

  static {
    EVENTS_OF_UNCLAIMED.add(WatchEvent.DELETE);
  }

  private static final int BUFFER_BYTES = 64 * 1024;

  /** Entries of a new directory that are told; with more, it was not made just now. */
  private static final int MAX_LISTED = 1_000;

  /** New directories that the watch has not taken up. */
  private static final int MAX_UNCLAIMED = 1_000;

  /** Names that are remembered because their files could not be opened. */
  private static final int MAX_WITHOUT = 10_000;

  private static final long CLAIM_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int CLAIM_CHECK_MILLIS = 1_000;
  private static final int QUIET_MILLIS = 60_000;
  private static final int AFTER_FAILURE_MILLIS = 100;

  private final FileCalls calls;
  private final LongSupplier nanoClock;
  private final DirectoryOpener opener;
  private final Predicate<PosixPath> wantedFiles;
  private final Predicate<PosixPath> wantedDirectories;
  private final NameListener listener;
  private final int fd;
  private final WakeUp wakeUp;
  private final WakeUp watchWakeUp;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
  private final Map<Integer, EarlyDirectory> byWatch = new ConcurrentHashMap<>();

  /** Used by the thread of {@link #run} only, as the next two are. */
  private final Deque<Unclaimed> unclaimed = new ArrayDeque<>();

  /** Names in unclaimed directories whose files the listener does not have. */
  private final Set<PosixPath> without = new HashSet<>();

  private Optional<Half> half = Optional.empty();
  private final EventParser.Handler handler = this::event;

  private final ReadingProgress progress;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private boolean closed;

  private volatile boolean told;

  /** Whether there are no more inotify watches to be had. */
  private volatile boolean exhausted;

  /** The watch stopped waiting before the queue was empty, so it must be woken afterwards. */
  private volatile boolean awaited;

  private record Unclaimed(int watch, long sinceNanos) {}

  /** The first half of a rename; the kernel queues the second right after it. */
  private record Half(int cookie, PosixPath path) {}

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
    this.nanoClock = nanoClock;
    this.progress = new ReadingProgress(nanoClock);
    this.opener = opener;
    this.wantedFiles = wanted.files();
    this.wantedDirectories = wanted.directories();
    this.listener = listener;
    this.fd = fd;
    this.wakeUp = wakeUp;
    this.watchWakeUp = watchWakeUp;
  }

  /** Which files and directories count, by absolute path; asked by two threads. */
  public record Wanted(Predicate<PosixPath> files, Predicate<PosixPath> directories) {}

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
        drain();
      } finally {
        progress.end();
      }
      if (awaited) {
        awaited = false;
        watchWakeUp.call();
      }
    }
    giveUpUnclaimed();
    if (unclaimed.isEmpty()) {
      without.clear();
    }
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
    if ((mask & EventMask.IGNORED) != 0) {
      byWatch.remove(watch);
      return;
    }
    EarlyDirectory directory = byWatch.get(watch);
    if (directory == null || name.isEmpty()) {
      return;
    }
    PosixPath path = directory.path().resolve(name);
    if ((mask & (EventMask.MOVED_FROM | EventMask.DELETE)) != 0) {
      left(mask, cookie, path);
      return;
    }
    Optional<PosixPath> from =
        half.filter(first -> (mask & EventMask.MOVED_TO) != 0 && first.cookie() == cookie)
            .map(Half::path);
    if (from.isPresent()) {
      half = Optional.empty();
    }
    if ((mask & EventMask.IS_DIRECTORY) != 0) {
      if (directory.only().isEmpty()) {
        enter(directory.root(), path);
      }
    } else if (directory.only().isPresent()
        ? directory.only().get().contains(name)
        : wantedFiles.test(path)) {
      told = true;
      boolean has = from.isPresent() ? listener.renamed(from.get(), path) : listener.appeared(path);
      if (!has && !directory.claimed()) {
        remember(path);
      }
    }
  }

  private void left(int mask, int cookie, PosixPath path) {
    boolean lacks = without.remove(path);
    if ((mask & EventMask.MOVED_FROM) != 0) {
      half = Optional.of(new Half(cookie, path));
    } else if (lacks) {
      listener.missed(path);
    }
  }

  private void remember(PosixPath path) {
    if (without.size() < MAX_WITHOUT) {
      without.add(path);
    } else {
      listener.missed(path); // Rather one that is found later than one that is lost in silence.
    }
  }

  /** Watches a new directory and tells what is in it already, and so on below it. */
  private void enter(PosixPath root, PosixPath top) {
    Deque<PosixPath> left = new ArrayDeque<>(List.of(top));
    for (PosixPath path = left.poll(); path != null; path = left.poll()) {
      if (exhausted || !wantedDirectories.test(path) || unclaimed.size() >= MAX_UNCLAIMED) {
        continue;
      }
      List<DirectoryEntry> entries = new ArrayList<>();
      try (Descriptor directory = opener.open(root, path)) {
        if (watchUnclaimed(root, path, directory.fd())) {
          calls.entries(
              directory.fd(),
              entry -> {
                if (entries.size() < MAX_LISTED) {
                  entries.add(entry);
                }
              });
        }
      } catch (ErrnoException e) {
        // Gone again, or not to be had: the watch looks at its next tick, and reports.
      }
      for (DirectoryEntry entry : entries) {
        PosixPath found = path.resolve(entry.name());
        if (entry.type() == EntryType.DIRECTORY) {
          left.add(found);
        } else if (mayBeFile(entry) && wantedFiles.test(found)) {
          told = true;
          if (!listener.appeared(found)) {
            remember(found);
          }
        }
      }
    }
  }

  private static boolean mayBeFile(DirectoryEntry entry) {
    return entry.type() == EntryType.REGULAR || entry.type() == EntryType.UNKNOWN;
  }

  /** Watches a directory that an event has told of; returns whether it was not watched before. */
  private boolean watchUnclaimed(PosixPath root, PosixPath path, int directoryFd)
      throws ErrnoException {
    int watch = add(path, directoryFd, EVENTS_OF_UNCLAIMED);
    EarlyDirectory fresh = new EarlyDirectory(root, path, Optional.empty(), false);
    EarlyDirectory before = byWatch.putIfAbsent(watch, fresh);
    if (before == null) {
      unclaimed.add(new Unclaimed(watch, nanoClock.getAsLong()));
      return true;
    }
    byWatch.replace(watch, before, new EarlyDirectory(root, path, before.only(), before.claimed()));
    if (before.claimed()) {
      add(path, directoryFd, EVENTS);
    }
    return false;
  }

  private int add(PosixPath path, int directoryFd, Set<WatchEvent> events) throws ErrnoException {
    try {
      return calls.inotifyAddWatch(fd, PosixPath.of("/proc/self/fd/" + directoryFd), events);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
        throw e;
      }
      return calls.inotifyAddWatch(fd, path, events); // No /proc in this container.
    }
  }

  private void giveUpUnclaimed() throws ErrnoException {
    while (!unclaimed.isEmpty()
        && nanoClock.getAsLong() - unclaimed.getFirst().sinceNanos() > CLAIM_WITHIN_NANOS) {
      int watch = unclaimed.removeFirst().watch();
      EarlyDirectory directory = byWatch.get(watch);
      if (directory != null && !directory.claimed() && byWatch.remove(watch, directory)) {
        remove(watch);
      }
    }
  }

  private void remove(int watch) throws ErrnoException {
    try {
      calls.inotifyRemoveWatch(fd, watch);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) { // The kernel has dropped it, with the directory.
        throw e;
      }
    }
  }

  /**
   * Tells the new names of a directory early from now on, under its present path. Does nothing if
   * that is so already. If the user's watches are used up, all directories are given up.
   */
  public void watch(DirectoryNode node, int directoryFd) throws ErrnoException {
    if (exhausted) {
      node.namesWatch = OptionalInt.empty();
      return;
    }
    Optional<Set<PosixPath>> only =
        node.restricted ? Optional.of(node.explicitNames) : Optional.empty();
    EarlyDirectory wanted = new EarlyDirectory(node.root().path, node.path, only, true);
    if (node.namesWatch.isPresent()) {
      EarlyDirectory before = byWatch.get(node.namesWatch.getAsInt());
      if (wanted.equals(before)) {
        return;
      }
    }
    try {
      int watch = add(node.path, directoryFd, EVENTS);
      byWatch.put(watch, wanted);
      node.namesWatch = OptionalInt.of(watch);
    } catch (ErrnoException e) {
      node.namesWatch = OptionalInt.empty();
      giveUp(e); // The watch sees new names too, if later.
    }
  }

  /**
   * Gives all directories up for good, since somebody needs the user's inotify watches more.
   *
   * @return whether there was any
   */
  public boolean giveUp(ErrnoException why) throws ErrnoException {
    if (!exhausted) {
      exhausted = true;
      listener.limited(why);
    }
    boolean any = false;
    for (Integer watch : List.copyOf(byWatch.keySet())) {
      if (byWatch.remove(watch) != null) {
        any = true;
        remove(watch);
      }
    }
    return any;
  }

  /** Stops telling the new names of a directory. */
  public void release(DirectoryNode node) throws ErrnoException {
    if (node.namesWatch.isPresent()) {
      int watch = node.namesWatch.getAsInt();
      node.namesWatch = OptionalInt.empty();
      if (byWatch.remove(watch) != null) {
        remove(watch);
      }
    }
  }

  /** Returns the number of directories whose new names are told early. */
  public int directoryCount() {
    return byWatch.size();
  }

  /**
   * Waits until everything that happened before the call is told. After a time-out, the watch is to
   * be woken when that is done.
   *
   * @return whether everything is told
   */
  public boolean settle(long timeoutMillis) throws ErrnoException {
    long deadline = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (true) {
        long before = progress.awaitIdle(deadline);
        boolean unread = (calls.pollReadable(new int[] {fd}, 0) & 1) != 0;
        if (!unread && progress.isIdleSince(before)) {
          return true;
        }
        if (nanoClock.getAsLong() - deadline >= 0 || !isServing()) {
          awaited = true;
          return false;
        }
        if (unread) {
          progress.awaitEmptied(before, deadline);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
      listener.failed(e); // Linux frees the descriptor all the same.
    }
  }
}
