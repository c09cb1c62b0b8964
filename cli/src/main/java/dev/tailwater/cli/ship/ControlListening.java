package dev.tailwater.cli.ship;

import dev.tailwater.delivery.control.ControlHandler;
import dev.tailwater.delivery.control.ControlServer;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.delivery.thread.WorkLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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

  /** The state directory of the agent: somebody may have put another one at its path by now. */
  interface StatePlace {
    /** Returns whether the path leads to it still. */
    boolean isInPlace() throws IOException;
  }

  private final Path stateDirectory;
  private final StatePlace place;
  private final ControlHandler handler;
  private final Problems problems;
  private final Duration pause;
  private final ThreadMaker threads;
  private final ThreadShortage shortage;

  /** The thread that tries again, once it is needed and could be started. */
  private Optional<Thread> trying = Optional.empty();

  /** Set by the thread that tries, and read when that has ended. */
  private volatile Optional<ControlServer> server;

  private ControlListening(
      Path stateDirectory,
      StatePlace place,
      ControlHandler handler,
      Problems problems,
      Duration pause,
      ThreadMaker threads) {
    this.stateDirectory = stateDirectory;
    this.place = place;
    this.handler = handler;
    this.problems = problems;
    this.pause = pause;
    this.threads = threads;
    this.shortage =
        new ThreadShortage(problems, "the thread that tries to make the control socket");
    this.server = tryOnce();
    startTrying();
  }

  private boolean lacksThread() {
    return server.isEmpty() && trying.isEmpty();
  }

  private void startTrying() {
    if (!lacksThread()) {
      return;
    }
    Thread thread = threads.unstarted("control-retry", this::tryAgainAndAgain);
    try {
      thread.start();
      trying = Optional.of(thread);
      shortage.resolved();
    } catch (OutOfMemoryError e) {
      shortage.report(e);
    }
  }

  /**
   * Waits for the end of the agent. As long as the machine had no thread for trying again, asks for
   * one meanwhile. For the thread that began and closes this.
   *
   * @param end is done at the end, however it comes
   */
  void await(CompletableFuture<?> end) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    var _ = end.whenComplete((_, _) -> ended.countDown());
    while (lacksThread() && !ended.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
      startTrying();
    }
    ended.await();
  }

  /**
   * Begins to listen.
   *
   * @param place another agent may run in a directory that is not in place
   * @param problems is told where that is not possible
   * @param pause between two attempts
   * @throws IOException the socket can never be made, since its path is too long
   */
  static ControlListening begin(
      Path stateDirectory,
      StatePlace place,
      ControlHandler handler,
      Problems problems,
      Duration pause,
      ThreadMaker threads)
      throws IOException {
    ControlServer.requireShortPath(stateDirectory);
    return new ControlListening(stateDirectory, place, handler, problems, pause, threads);
  }

  private Optional<ControlServer> tryOnce() {
    try {
      if (!place.isInPlace()) {
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

  private void tryAgainAndAgain() {
    new WorkLoop(problems, "making the control socket")
        .run(
            () -> {
              Thread.sleep(pause);
              server = tryOnce();
              return server.isEmpty();
            });
  }

  @Override
  public void close() throws IOException {
    trying.ifPresent(Thread::interrupt);
    try {
      if (trying.isPresent()) {
        trying.get().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (server.isPresent()) {
      server.get().close();
    }
  }
}
