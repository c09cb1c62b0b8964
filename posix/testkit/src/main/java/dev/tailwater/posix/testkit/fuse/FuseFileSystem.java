package dev.tailwater.posix.testkit.fuse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Skipping;
import dev.tailwater.posix.testkit.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A real FUSE mount, served by another JVM. It counts requests and can, like a file server, be
 * slow, fail, hang, be killed and be restarted.
 *
 * <pre>{@code
 * try (FuseFileSystem slow = FuseFileSystem.mount(FuseOptions.direct().withWriteDelayMicros(200))) {
 *   Files.write(slow.root().resolve("file"), bytes);
 *   assertEquals(1, slow.counts().writeRequests());
 * }
 * }</pre>
 *
 * <p>Closing it unmounts and deletes everything, as does the end of this JVM, whatever its cause.
 * Thread-safe.
 */
public final class FuseFileSystem implements AutoCloseable {
  private final FuseWorkspace workspace;
  private final FuseOptions options;

  @GuardedBy("this")
  private FuseProcess server;

  @GuardedBy("this")
  private boolean killed;

  @GuardedBy("this")
  private boolean closed;

  private FuseFileSystem(FuseWorkspace workspace, FuseOptions options, FuseProcess server) {
    this.workspace = workspace;
    this.options = options;
    this.server = server;
  }

  /** Returns why {@link #mount} cannot work on this machine; empty if it should work. */
  public static Optional<String> missing() {
    return FuseLibrary.missing();
  }

  /**
   * Mounts an empty file system in a new directory. Skips the test, with the reason, if something
   * is {@linkplain #missing() missing}.
   *
   * @throws IOException if everything is there but the mount fails nevertheless
   */
  public static FuseFileSystem mount(FuseOptions options) throws IOException {
    return Skipping.unlessAvailable(
        () -> mountBelow(Path.of(System.getProperty("java.io.tmpdir")), options));
  }

  /**
   * Same as {@link #mount}, but not only for tests.
   *
   * @param parent the directory in which the mount point is created and the files are kept
   * @throws UnavailableException if something is {@linkplain #missing() missing}
   */
  public static FuseFileSystem mountBelow(Path parent, FuseOptions options) throws IOException {
    Optional<String> missing = missing();
    if (missing.isPresent()) {
      throw new UnavailableException(missing.get());
    }
    FuseWorkspace workspace = FuseWorkspace.create(parent);
    FuseFileSystem mounted =
        new FuseFileSystem(workspace, options, FuseProcess.start(workspace, options));
    try {
      mounted.awaitMount();
      return mounted;
    } catch (IOException | RuntimeException e) {
      mounted.end();
      throw e;
    }
  }

  private synchronized void awaitMount() throws IOException {
    String answer = server.answer();
    if (isForbidden(answer)) {
      throw new UnavailableException("this process may not mount FUSE: " + answer);
    }
    if (!answer.equals("ready")) {
      throw new IOException("the FUSE server said " + answer);
    }
  }

  /**
   * Returns whether the mount was refused with EPERM, or with EACCES by AppArmor, as in a container
   * that has the device but may not mount.
   */
  private static boolean isForbidden(String answer) {
    return answer.startsWith(FuseServer.REFUSED)
        && (answer.contains("Operation not permitted") || answer.contains("Permission denied"));
  }

  /** Returns the mount point. */
  public Path root() {
    return workspace.mountPoint();
  }

  /** Returns {@link #root()} as a path for file calls. */
  public PosixPath path() {
    return PosixPath.of(root());
  }

  /**
   * Returns the directory in which the server keeps the files; reading there causes no requests.
   */
  public Path files() {
    return workspace.files();
  }

  /**
   * Returns the requests since the mount or the last {@link #reset}, including those still waiting.
   */
  public FuseCounts counts() throws IOException {
    return FuseCounts.parse(ask("counts"));
  }

  /** Sets all counts to 0. */
  public void reset() throws IOException {
    order("reset");
  }

  /** Delays each READ that arrives from now on. */
  public void delayReads(long micros) throws IOException {
    order("delay-read " + micros);
  }

  /**
   * Holds each READ that arrives from now on until {@link #releaseReads}. Release the reads in a
   * {@code finally} block: a thread whose read is held cannot be interrupted.
   */
  public void holdReads() throws IOException {
    order("hold-read");
  }

  /** Releases the READs that are held, and holds no more. */
  public void releaseReads() throws IOException {
    order("release-read");
  }

  /** Delays each WRITE that arrives from now on. */
  public void delayWrites(long micros) throws IOException {
    order("delay-write " + micros);
  }

  /**
   * Returns the number of requests of each kind since the mount or the last {@link #reset}, without
   * kinds that did not occur.
   */
  public Map<FuseRequest, Long> requests() throws IOException {
    Map<FuseRequest, Long> requests = new EnumMap<>(FuseRequest.class);
    for (String entry : ask("requests").substring("requests ".length()).split(",", -1)) {
      if (!entry.isEmpty()) {
        String[] words = entry.split(":", -1);
        requests.put(FuseRequest.valueOf(words[0]), Long.valueOf(words[1]));
      }
    }
    return requests;
  }

  /** Makes the next requests of this kind fail without executing them. */
  public void fail(FuseRequest request, Errno errno, long count) throws IOException {
    order("fault " + request + " " + errno.number() + " false " + count);
  }

  /**
   * Executes each of the next requests of this kind twice and returns the second answer. An NFS
   * server does this if its first answer was lost, the client repeats the request, and the server
   * does not remember it.
   */
  public void repeat(FuseRequest request, long count) throws IOException {
    order("fault " + request + " 0 true " + count);
  }

  /** Removes all planned failures and repetitions of requests. */
  public void heal() throws IOException {
    order("heal");
  }

  /** Kills the server, whatever it is doing: every request fails with ENOTCONN. */
  public synchronized void killServer() throws IOException {
    server.kill();
    killed = true;
  }

  /** Kills the server and unmounts: the mount point is then an empty directory. */
  public synchronized void unmountServer() throws IOException {
    killServer();
    workspace.unmount();
  }

  /** Starts a new server for the same files and mount point, after the old one has ended. */
  public synchronized void restartServer() throws IOException {
    workspace.unmount();
    server = FuseProcess.start(workspace, options);
    killed = false;
    awaitMount();
  }

  /** Returns the process that answers the requests. */
  public synchronized ProcessHandle server() {
    return server.handle();
  }

  private void order(String command) throws IOException {
    String answer = ask(command);
    if (!answer.equals("ok")) {
      throw new IOException("the FUSE server answered " + command + " with " + answer);
    }
  }

  private synchronized String ask(String command) throws IOException {
    if (closed) {
      throw new IllegalStateException("the file system is closed");
    }
    return server.ask(command);
  }

  /**
   * Unmounts and deletes the file system. Throws if a file is still open, but removes everything
   * nevertheless.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    String answer = "unmounted";
    try {
      if (!killed) {
        answer = ask("quit");
      }
    } finally {
      closed = true;
      end();
    }
    if (!answer.equals("unmounted")) {
      throw new IOException(root() + " was unmounted with files open: " + answer);
    }
  }

  private synchronized void end() throws IOException {
    try {
      server.end();
    } finally {
      workspace.unmount();
      workspace.delete();
    }
  }
}
