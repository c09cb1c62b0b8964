package dev.tailwater.cli.child;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.JsonText;
import dev.tailwater.delivery.control.ControlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An agent in a process of its own. */
public final class ChildAgent {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_MILLIS = 20;

  private final Process process;
  private final Path state;

  private ChildAgent(Process process, Path state) {
    this.process = process;
    this.state = state;
  }

  /**
   * Starts an agent, and waits until it answers.
   *
   * @param arguments of the program
   * @param state its state directory
   */
  public static ChildAgent start(ChildProcesses processes, List<String> arguments, Path state)
      throws IOException, InterruptedException {
    ChildAgent agent = new ChildAgent(processes.startBound(arguments), state);
    long giveUp = System.nanoTime() + PATIENCE_NANOS;
    while (agent.status().isEmpty()) {
      if (!agent.isAlive() || System.nanoTime() > giveUp) {
        throw UserException.failed("the agent does not start", processes.whereToLook());
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return agent;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns its status; empty if it does not answer. */
  public Optional<JsonText> status() throws IOException {
    Optional<String> answer;
    try {
      answer = new ControlClient(state).status();
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return Optional.empty(); // It ended while it was asked.
    }
    return answer.isEmpty() ? Optional.empty() : Optional.of(JsonText.parse(answer.get()));
  }

  /** Kills it by SIGKILL and waits for its end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends it SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // The other one closes its input, which ends it at once.
  }

  /** Waits for its end; returns false if that did not come in time. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns its exit code, once it has ended. */
  public int exitCode() {
    return process.exitValue();
  }
}
