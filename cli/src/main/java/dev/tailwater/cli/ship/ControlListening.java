package dev.tailwater.cli.ship;

import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.control.ControlServer;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;

/**
 * Listens on the control socket from the start of an agent to its end. Where the socket cannot be
 * made, on a full disk for example, the agent delivers all the same, and it is tried again.
 */
final class ControlListening implements AutoCloseable {
  static final String SUBJECT = "control socket";

  private static final String HINT =
      "delivery goes on, and it is tried again; until it works, 'tailwater status' and 'tailwater"
          + " drain' do not reach the agent: make room in the state directory (df, df -i), or mend"
          + " what keeps it from being written to";

  private final Path stateDirectory;
  private final ControlHandler handler;
  private final Problems problems;
  private final Duration pause;
  private final Thread trying;
  private final Optional<Object> firstIdentity;

  /** Set by the thread that tries, and read when that has ended. */
  private volatile Optional<ControlServer> server;

  private ControlListening(
      Path stateDirectory, ControlHandler handler, Problems problems, Duration pause)
      throws IOException {
    this.stateDirectory = stateDirectory;
    this.handler = handler;
    this.problems = problems;
    this.pause = pause;
    this.firstIdentity = identity();
    this.server = tryOnce();
    this.trying =
        Thread.ofPlatform().name("control-retry").daemon(true).unstarted(this::tryAgainAndAgain);
    if (server.isEmpty()) {
      trying.start();
    }
  }

  /**
   * Begins to listen.
   *
   * @param problems is told where that is not possible
   * @param pause between two attempts
   * @throws IOException the socket can never be made, since its path is too long, or there is no
   *     state directory
   */
  static ControlListening begin(
      Path stateDirectory, ControlHandler handler, Problems problems, Duration pause)
      throws IOException {
    ControlServer.requireShortPath(stateDirectory);
    return new ControlListening(stateDirectory, handler, problems, pause);
  }

  private Optional<ControlServer> tryOnce() {
    try {
      if (!identity().equals(firstIdentity)) {
        throw new IOException(stateDirectory + " is not the directory of this agent any more");
      }
      ControlServer started = ControlServer.start(stateDirectory, handler);
      problems.resolved(SUBJECT);
      return Optional.of(started);
    } catch (IOException e) {
      problems.reportHarmless(SUBJECT, e, HINT);
    } catch (RuntimeException | Error e) { // A thread that cannot be made, for example.
      problems.reportHarmless(SUBJECT, new IOException(e.toString(), e), HINT);
    }
    return Optional.empty();
  }

  /**
   * Returns device and inode of the state directory: an agent may have another one there by now.
   */
  private Optional<Object> identity() throws IOException {
    return Optional.ofNullable(
        Files.readAttributes(stateDirectory, BasicFileAttributes.class).fileKey());
  }

  private void tryAgainAndAgain() {
    while (server.isEmpty()) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return; // The agent ends.
      }
      server = tryOnce();
    }
  }

  @Override
  public void close() throws IOException {
    trying.interrupt();
    try {
      trying.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (server.isPresent()) {
      server.get().close();
    }
  }
}
