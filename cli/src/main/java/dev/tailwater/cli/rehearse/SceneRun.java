package dev.tailwater.cli.rehearse;

import dev.tailwater.cli.child.ChildAgent;
import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** One run of a scene: files that are written, and an agent that delivers them. */
final class SceneRun implements AutoCloseable {
  private static final long PAUSE_MILLIS = 25;

  private final Shared shared;
  private final String scene;
  private final LoadWriter writer;
  private final ChildAgent agent;
  private final long startNanos = System.nanoTime();
  private Optional<Look> last = Optional.empty();
  private long mostAtRiskBytes;

  /** The parts that all scenes share. */
  record Shared(
      RehearsalPlan plan,
      RehearsalPaths places,
      ChildProcesses processes,
      RehearsalCommands commands,
      DeliveryCheck delivered,
      LoadWriter.Text text) {}

  /**
   * A status of the agent.
   *
   * @param writtenBytes when it was asked
   */
  record Look(long writtenBytes, long deliveredBytes, long atRiskBytes) {}

  private SceneRun(Shared shared, String scene, LoadWriter writer, ChildAgent agent) {
    this.shared = shared;
    this.scene = scene;
    this.writer = writer;
    this.agent = agent;
  }

  /** Starts the agent and begins to write; returns after the warm-up. */
  static SceneRun open(Shared shared, String scene) throws IOException, InterruptedException {
    Path files = Files.createDirectories(shared.places().files(scene));
    ChildAgent agent =
        ChildAgent.start(
            shared.processes(), shared.commands().agent(scene), shared.places().state(scene));
    SceneRun run =
        new SceneRun(shared, scene, LoadWriter.start(files, shared.plan(), shared.text()), agent);
    boolean warm = false;
    try {
      run.runFor(shared.plan().warmUp());
      warm = true;
      return run;
    } finally {
      if (!warm) {
        run.close();
      }
    }
  }

  RehearsalPlan plan() {
    return shared.plan();
  }

  RehearsalPaths places() {
    return shared.places();
  }

  String scene() {
    return scene;
  }

  LoadWriter writer() {
    return writer;
  }

  ChildAgent agent() {
    return agent;
  }

  /** Asks the agent for its status; empty if it has ended. */
  Optional<Look> look() throws IOException {
    long writtenBytes = writer.writtenBytes();
    Optional<JsonText> status = agent.status();
    if (status.isPresent()) {
      Look look =
          new Look(
              writtenBytes,
              status.get().number("deliveredBytes"),
              status.get().number("atRiskBytes"));
      mostAtRiskBytes = Math.max(mostAtRiskBytes, look.atRiskBytes());
      last = Optional.of(look);
      return last;
    }
    return Optional.empty();
  }

  /** Returns the last status. */
  Look last() {
    return last.orElseGet(() -> new Look(0, 0, 0));
  }

  /** Returns the most bytes that were at risk since the last call. */
  long mostAtRiskBytes() {
    long most = mostAtRiskBytes;
    mostAtRiskBytes = 0;
    return most;
  }

  /** Lets time pass, asking for the status all the time. */
  void runFor(Duration time) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - endNanos < 0) {
      look();
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * Waits until so many bytes are delivered.
   *
   * @return how long that took; empty: longer than the limit, or the agent ended before
   */
  Optional<Duration> awaitDelivered(long bytes, Duration limit)
      throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
    while (System.nanoTime() - beginNanos < limit.toNanos()) {
      Optional<Look> look = look();
      if (look.filter(l -> l.deliveredBytes() >= bytes).isPresent()) {
        return Optional.of(Duration.ofNanos(System.nanoTime() - beginNanos));
      }
      if (look.isEmpty() && !agent.isAlive()) {
        return Optional.empty();
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return Optional.empty();
  }

  /**
   * Stops writing, then terminates the agent. In the other order the agent might end as soon as it
   * finds nothing left, before the last write.
   */
  void endProgramsThenAgent() throws IOException, InterruptedException {
    writer.stop();
    agent.terminate();
  }

  /** Returns how many bytes are missing at the required destination that lacks most. */
  long lostBytes() throws IOException {
    long mostBytes = 0;
    for (String destination : shared.commands().required(scene)) {
      mostBytes =
          Math.max(
              mostBytes,
              shared
                  .delivered()
                  .missingBytes(
                      destination, shared.places().files(scene), shared.places().state(scene)));
    }
    return mostBytes;
  }

  /** Returns the mean rate of writing up to now. */
  long bytesPerSecond() {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    return (long) (writer.writtenBytes() / Math.max(0.001, seconds));
  }

  @Override
  public void close() {
    writer.close();
    try {
      agent.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
