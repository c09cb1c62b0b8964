package dev.tailwater.posix.testkit.fuse;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.PosixPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real FUSE mount, served by another JVM, that counts requests and can be slow.
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
  private static final int END_SECONDS = 10;

  private final FuseWorkspace workspace;
  private final Process server;
  private final Writer commands;
  private final BufferedReader answers;
  private boolean closed;

  private FuseFileSystem(FuseWorkspace workspace, Process server) {
    this.workspace = workspace;
    this.server = server;
    commands = new OutputStreamWriter(server.getOutputStream(), StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
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
    Optional<String> missing = missing();
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    FuseWorkspace workspace = FuseWorkspace.create();
    Process server =
        new ProcessBuilder(command(workspace, options))
            .redirectError(workspace.log().toFile())
            .start();
    FuseFileSystem mounted = new FuseFileSystem(workspace, server);
    try {
      String answer = mounted.answer();
      assumeTrue(!isForbidden(answer), () -> "this process may not mount FUSE: " + answer);
      if (!answer.equals("ready")) {
        throw new IOException("the FUSE server said " + answer);
      }
      return mounted;
    } catch (IOException | RuntimeException e) {
      mounted.end();
      throw e;
    }
  }

  /** As in a container that has the device, but may not mount: EPERM, or EACCES of AppArmor. */
  private static boolean isForbidden(String answer) {
    return answer.startsWith(FuseServer.REFUSED)
        && (answer.contains("Operation not permitted") || answer.contains("Permission denied"));
  }

  private static List<String> command(FuseWorkspace workspace, FuseOptions options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FuseServer.class.getName(),
                workspace.directory().toString(),
                FuseLibrary.path().orElseThrow().toString()));
    command.addAll(options.toArguments());
    return command;
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

  /** The process that answers the requests. */
  public ProcessHandle server() {
    return server.toHandle();
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
    commands.write(command + "\n");
    commands.flush();
    return answer();
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the FUSE server has ended: " + Files.readString(workspace.log()));
    }
    return line;
  }

  /** Unmounts. A file that is still open is an error, and its file system is gone all the same. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    String answer;
    try {
      answer = ask("quit");
    } finally {
      closed = true;
      end();
    }
    if (!answer.equals("unmounted")) {
      throw new IOException(root() + " was unmounted with files open: " + answer);
    }
  }

  private void end() throws IOException {
    try {
      server.getOutputStream().close(); // which is the order to end
      if (!server.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      server.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      workspace.unmount();
      workspace.delete();
    }
  }
}
