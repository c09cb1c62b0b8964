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
 * A real FUSE mount, served by another JVM, that counts requests, can be slow, fail, hang, and be
 * killed and started anew, as file servers are.
 *
 * <pre>{@code
 * try (FuseFileSystem slow = FuseFileSystem.mount(FuseOptions.direct().withWriteDelayMicros(200))) {
 *   Files.write(slow.root().resolve("file"), bytes);
 *   assertEquals(1, slow.counts().writeRequests());
 * }
 * }</pre>
 *
 * <p>Closing it, or the end of this JVM however it comes, unmounts and deletes everything.
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

  /** Why {@link #mount} cannot work on this machine; empty when it should. */
  public static Optional<String> missing() {
    return FuseLibrary.missing();
  }

  /**
   * Mounts an empty file system in a new directory. The test is skipped, with the reason, where
   * something is {@linkplain #missing() missing}.
   *
   * @throws IOException when all is there and the mount fails nevertheless
   */
  public static FuseFileSystem mount(FuseOptions options) throws IOException {
    return Skipping.unlessAvailable(
        () -> mountBelow(Path.of(System.getProperty("java.io.tmpdir")), options));
  }

  /**
   * As {@link #mount}, but not for tests alone.
   *
   * @param parent the directory in which the mount point is made, and the place of the files
   * @throws UnavailableException where something is {@linkplain #missing() missing}
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

  /** As in a container that has the device, but may not mount: EPERM, or EACCES of AppArmor. */
  private static boolean isForbidden(String answer) {
    return answer.startsWith(FuseServer.REFUSED)
        && (answer.contains("Operation not permitted") || answer.contains("Permission denied"));
  }

  /** Where it is mounted. */
  public Path root() {
    return workspace.mountPoint();
  }

  /** {@link #root()} for file calls. */
  public PosixPath path() {
    return PosixPath.of(root());
  }

  /** The directory in which the server keeps the files: reading there is no request. */
  public Path files() {
    return workspace.files();
  }

  /** The requests since the mount or the last {@link #reset}, those that still wait included. */
  public FuseCounts counts() throws IOException {
    return FuseCounts.parse(ask("counts"));
  }

  /** Counts from 0 again. */
  public void reset() throws IOException {
    order("reset");
  }

  /** Makes each READ that comes from now on wait. */
  public void delayReads(long micros) throws IOException {
    order("delay-read " + micros);
  }

  /**
   * Makes each READ that comes from now on wait for {@link #releaseReads}. To be used with a {@code
   * finally}: a thread in a read that is held cannot be interrupted.
   */
  public void holdReads() throws IOException {
    order("hold-read");
  }

  /** Lets the READs go that are held, and those to come. */
  public void releaseReads() throws IOException {
    order("release-read");
  }

  /** Makes each WRITE that comes from now on wait. */
  public void delayWrites(long micros) throws IOException {
    order("delay-write " + micros);
  }

  /** The requests since the mount or the last {@link #reset}, by kind; those that came. */
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

  /** The next requests of that kind are not made and fail. */
  public void fail(FuseRequest request, Errno errno, long count) throws IOException {
    order("fault " + request + " " + errno.number() + " false " + count);
  }

  /**
   * The next requests of that kind are made twice, and the second answer is given: what an NFS
   * server does that has answered, was not heard, and is asked once more when it does not remember.
   */
  public void repeat(FuseRequest request, long count) throws IOException {
    order("fault " + request + " 0 true " + count);
  }

  /** No request fails any more. */
  public void heal() throws IOException {
    order("heal");
  }

  /** Ends the server in the middle of whatever it does: every request fails with ENOTCONN. */
  public synchronized void killServer() throws IOException {
    server.kill();
    killed = true;
  }

  /** Ends the server and unmounts: the mount point is an empty directory. */
  public synchronized void unmountServer() throws IOException {
    killServer();
    workspace.unmount();
  }

  /** A new server for the same files, mounted at the same place, when the old one was ended. */
  public synchronized void restartServer() throws IOException {
    workspace.unmount();
    server = FuseProcess.start(workspace, options);
    killed = false;
    awaitMount();
  }

  /** The process that answers the requests. */
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

  /** Unmounts. A file that is still open is an error, and its file system is gone all the same. */
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
