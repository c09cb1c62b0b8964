package dev.tailwater.restore.durable;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes restored files durable, and then lets each get its name: one thread does so for all that
 * wait, while others are written. A few get an fsync(2) each, many one syncfs(2), which takes
 * little longer than a single fsync. Thread-safe.
 */
public final class GroupSync implements AutoCloseable {
  /** So many bytes are reason enough to begin, so that the last group does not take long. */
  private static final long ENOUGH_BYTES = 64L << 20;

  /** How long a file waits for others; an interrupted run would have to look at it again. */
  private static final long WAIT_MILLIS = 1000;

  /** Fewer are no reason to write back what other programs have written. */
  private static final int LEAST_TOGETHER = 8;

  private final FileCalls calls;
  private final boolean enabled;
  private final int mostWaiting;

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
  private long waitingBytes;

  @GuardedBy("this")
  private boolean closed;

  /** What no file is to blame for. */
  @GuardedBy("this")
  private @Nullable Throwable failure;

  /** What is done with a file when it is durable, or when it is known not to be. */
  public interface Then {
    /**
     * Called once, by one thread for all files.
     *
     * @param failure why it is not durable
     */
    void run(Optional<Throwable> failure) throws IOException;
  }

  /**
   * A file to be made durable.
   *
   * @param device that of its file system
   */
  private record Request(Descriptor file, long device, Then then) {}

  private GroupSync(
      FileCalls calls, Descriptor root, long rootDevice, boolean enabled, int mostWaiting) {
    this.calls = calls;
    this.root = root;
    this.rootDevice = rootDevice;
    this.enabled = enabled;
    this.mostWaiting = mostWaiting;
    this.together = isAtLeast(System.getProperty("os.version", ""), 5, 8);
  }

  /**
   * Starts the thread.
   *
   * @param root a directory above all files; stays open until after {@link #close}
   * @param enabled whether anything is made durable
   * @param mostWaiting how many files wait at most, each with an open descriptor
   */
  public static GroupSync start(FileCalls calls, Descriptor root, boolean enabled, int mostWaiting)
      throws ErrnoException {
    long device = calls.fstat(root.fd()).device();
    GroupSync sync = new GroupSync(calls, root, device, enabled, mostWaiting);
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

  /**
   * Makes a file durable and does something then, perhaps before this returns. Waits while too many
   * files wait.
   *
   * @param device that of the file's file system
   * @param bytes how long the file is, about
   * @throws IOException what was done with another file has failed; nothing will be done with this
   * @throws InterruptedException the thread was interrupted; nothing will be done either
   */
  public void add(Descriptor file, long device, long bytes, Then then)
      throws IOException, InterruptedException {
    if (!enabled) {
      then.run(Optional.empty());
      return;
    }
    synchronized (this) {
      while (isEnough() && failure == null) {
        wait();
      }
      Jobs.rethrow(failure);
      waiting.add(new Request(file, device, then));
      waitingBytes += bytes;
      if (waiting.size() == 1 || isEnough()) {
        notifyAll();
      }
    }
  }

  @GuardedBy("this")
  private boolean isEnough() {
    return waiting.size() >= mostWaiting || waitingBytes >= ENOUGH_BYTES;
  }

  private void run() {
    for (List<Request> group = take(); !group.isEmpty(); group = take()) {
      makeDurable(group);
    }
  }

  /** Takes all that wait, once it is worth it; empty when the sync is closed. */
  private synchronized List<Request> take() {
    try {
      while (waiting.isEmpty() && !closed) {
        wait();
      }
      // Woken up too early, it takes a smaller group.
      for (boolean waited = false; !waited && !closed && !isEnough(); waited = true) {
        wait(WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      closed = true; // Nobody but close() ends this thread, and whoever waits is still served.
    }
    List<Request> taken = waiting;
    waiting = new ArrayList<>();
    waitingBytes = 0;
    notifyAll();
    return taken;
  }

  private void makeDurable(List<Request> group) {
    try {
      long onRoot = group.stream().filter(this::isOnRoot).count();
      boolean done = together && onRoot >= LEAST_TOGETHER && syncFileSystem();
      for (Request request : group) {
        end(request, done && isOnRoot(request) ? Optional.empty() : syncOne(request));
      }
    } catch (RuntimeException | Error e) {
      group.forEach(request -> end(request, Optional.of(e)));
    }
  }

  private boolean isOnRoot(Request request) {
    return request.device == rootDevice;
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

  private Optional<Throwable> syncOne(Request request) {
    try {
      calls.fsync(request.file.fd());
      return Optional.empty();
    } catch (ErrnoException | RuntimeException | Error e) {
      return Optional.of(e);
    }
  }

  private void end(Request request, Optional<Throwable> why) {
    try {
      request.then.run(why);
    } catch (IOException | RuntimeException | Error e) {
      synchronized (this) {
        if (failure == null) {
          failure = e;
        }
        notifyAll();
      }
    }
  }

  /**
   * Waits until everything is done with all files.
   *
   * @throws IOException what was done with one of them failed
   */
  public void finish() throws IOException {
    close();
    synchronized (this) {
      Jobs.rethrow(failure);
    }
  }

  /** Ends the thread when everything is done; nothing may be added any more. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // The files that wait belong to the thread.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
