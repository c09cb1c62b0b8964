package dev.tailwater.delivery;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/** What dies when its native calls do: the life of an agent that ends by a crash or by itself. */
final class MortalProcess {
  private static final Duration DRAIN_DEADLINE = Duration.ofSeconds(20);

  private final FaultyFileCalls faulty;

  MortalProcess(FaultPlan plan) {
    this.faulty = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, plan);
  }

  /** The actions of a process until it dies. */
  @FunctionalInterface
  interface Life {
    void live() throws Exception;
  }

  FileCalls calls() {
    return faulty.calls();
  }

  FaultyFileCalls faulty() {
    return faulty;
  }

  boolean isDead() {
    return faulty.crashed();
  }

  /** Runs the process, which is dead afterwards in any case. */
  void live(Life life) throws Exception {
    try {
      life.live();
    } catch (CrashError | IOException | RuntimeException e) {
      if (!isDead()) {
        throw e; // Only a crash is a reason to end early.
      }
    } finally {
      faulty.kill();
    }
  }

  void awaitUnlessDead(TestAgent.Condition condition) throws Exception {
    TestAgent.await("done or dead", () -> isDead() || condition.holds());
  }

  /** Drains an agent of the process. When that is dead, nobody waits for the deadline. */
  void drainUnlessDead(TestAgent agent) throws Exception {
    FutureTask<DrainReport> drain =
        new FutureTask<>(() -> agent.agent.drain(Optional.of(DRAIN_DEADLINE)));
    Thread thread = Thread.ofPlatform().name("drain").start(drain);
    awaitUnlessDead(drain::isDone);
    if (isDead()) {
      thread.interrupt();
      thread.join();
    } else {
      var _ = drain.get();
    }
  }
}
