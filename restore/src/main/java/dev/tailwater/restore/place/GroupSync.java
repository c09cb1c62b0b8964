package dev.tailwater.restore.place;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Makes restored files durable: one thread does so for all that wait. A few get an fsync(2) each,
 * many one syncfs(2), which takes little longer than a single fsync. Work goes on meanwhile: only
 * those who do not wait count as working. Thread-safe.
 */
final class GroupSync implements AutoCloseable {
  /** How many files wait at most, each with its thread and two descriptors. */
  private static final int MOST_WAITING = 128;

  /** Fewer are no reason to write back what other programs have written. */
  private static final int LEAST_TOGETHER = 8;

  private final FileCalls calls;
  private final boolean enabled;
  private final int workers;
  private final Semaphore working;

  /** Open for longer than any file, so that syncfs through it tells of errors of all of them. */
  private final Descriptor root;

  private final long rootDevice;

  /** Whether syncfs can be relied on; used by the thread only. */
  private boolean together;

  private final Thread thread =
      Thread.ofPlatform().name("restore-sync").daemon(true).unstarted(this::run);

  @GuardedBy("this")
  private List<Request> waiting = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** A file to be made durable. */
  private record Request(Descriptor file, CompletableFuture<Optional<Throwable>> failure) {}

  private GroupSync(
      FileCalls calls, Descriptor root, long rootDevice, boolean enabled, int workers) {
    this.calls = calls;
    this.root = root;
    this.rootDevice = rootDevice;
    this.enabled = enabled;
    this.workers = workers;
    this.working = new Semaphore(workers);
    this.together = isAtLeast(System.getProperty("os.version", ""), 5, 8);
  }

  /**
   * Starts the thread.
   *
   * @param root a directory above all files; stays open until after {@link #close}
   * @param enabled whether anything is made durable
   * @param workers how many streams are worked on at once
   */
  static GroupSync start(FileCalls calls, Descriptor root, boolean enabled, int workers)
      throws ErrnoException {
    long device = calls.fstat(root.fd()).device();
    GroupSync sync = new GroupSync(calls, root, device, enabled, workers);
    if (enabled) {
      sync.thread.start();
    }
    return sync;
  }

  /** Returns whether the version of a kernel is this one or later; false if it says nothing. */
  static boolean isAtLeast(String version, int major, int minor) {
    String[] parts = version.split("[^0-9]+", 3);
    try {
      int itsMajor = Integer.parseInt(parts[0]);
      return itsMajor > major
          || (itsMajor == major && parts.length > 1 && Integer.parseInt(parts[1]) >= minor);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Returns how many threads keep all workers busy while others wait. */
  int threads() {
    return enabled ? workers + MOST_WAITING : workers;
  }

  /** Waits for the turn to work; {@link #endTurn} ends it. */
  void beginTurn() {
    working.acquireUninterruptibly();
  }

  void endTurn() {
    working.release();
  }

  /** Makes a file durable; while the caller waits, another one has its turn. */
  void sync(Descriptor file) throws IOException {
    if (!enabled) {
      return;
    }
    Request request = new Request(file, new CompletableFuture<>());
    synchronized (this) {
      waiting.add(request);
      notifyAll();
    }
    endTurn();
    Optional<Throwable> failure;
    try {
      failure = request.failure.join(); // Not interruptible: the thread uses the descriptor.
    } finally {
      beginTurn();
    }
    Jobs.rethrow(failure.orElse(null));
  }

  private void run() {
    for (List<Request> group = take(); !group.isEmpty(); group = take()) {
      try {
        syncAll(group);
      } catch (RuntimeException | Error e) {
        group.forEach(request -> request.failure.complete(Optional.of(e)));
      }
    }
  }

  /** Takes all that wait; empty when the sync is closed. */
  private synchronized List<Request> take() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        closed = true; // Nobody but close() ends this thread, and whoever waits is still served.
      }
    }
    List<Request> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  private void syncAll(List<Request> group) {
    List<Request> onRoot = new ArrayList<>();
    for (Request request : group) {
      if (together && isOnRoot(request.file)) {
        onRoot.add(request);
      } else {
        syncOne(request);
      }
    }
    if (onRoot.size() >= LEAST_TOGETHER && syncFileSystem()) {
      onRoot.forEach(request -> request.failure.complete(Optional.empty()));
    } else {
      onRoot.forEach(this::syncOne);
    }
  }

  private boolean isOnRoot(Descriptor file) {
    try {
      return calls.fstat(file.fd()).device() == rootDevice;
    } catch (ErrnoException e) {
      return false; // What fsync says counts.
    }
  }

  /**
   * Returns whether everything is durable. An error is told once, perhaps to a group whose files
   * are all well, and only fsync tells of which file it is: so from then on, each file gets its
   * own.
   */
  private boolean syncFileSystem() {
    try {
      calls.syncFileSystem(root.fd());
      return true;
    } catch (ErrnoException e) {
      together = false;
      return false;
    }
  }

  private void syncOne(Request request) {
    try {
      calls.fsync(request.file.fd());
      request.failure.complete(Optional.empty());
    } catch (ErrnoException e) {
      request.failure.complete(Optional.of(e));
    }
  }

  /** Ends the thread; nobody waits any more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
