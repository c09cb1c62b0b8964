package dev.tailwater.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.checkpoint.AgentState;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.posix.ErrnoException;
import java.time.Duration;
import java.util.Optional;

/**
 * Says that the state directory, or a part of it, was removed or replaced: its open files take
 * writes all the same, so nobody else would notice that these are lost.
 */
final class StateWatch {
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final String SUBJECT = "place of the state directory";
  private static final String HINT =
      "delivery goes on, but what is saved there is lost: restart the agent, which then asks the"
          + " destination what it holds, and makes a key anew that was in the directory; start no"
          + " other agent there before this one has ended";
  private static final String LOCK_HINT =
      "delivery goes on, and what is saved there is kept, but another agent can be started there:"
          + " start none before this one has ended, and restart this one";

  private final AgentState state;
  private final Problems problems;
  private final Thread thread =
      Thread.ofPlatform().name("state-watch").daemon(true).unstarted(this::run);

  @GuardedBy("this")
  private boolean ended;

  StateWatch(AgentState state, Problems problems) {
    this.state = state;
    this.problems = problems;
  }

  /** Starts its thread; where the machine has none to give, only the end of the agent looks. */
  void start() {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      new ThreadShortage(problems, "the thread that looks at the state directory").report(e);
    }
  }

  private void run() {
    new WorkLoop(problems, "looking at the state directory")
        .run(
            () -> {
              Thread.sleep(INTERVAL);
              look();
              return true;
            });
  }

  private synchronized void look() {
    if (ended) {
      return;
    }
    try {
      Optional<AgentState.Removal> removed = state.removed();
      removed.ifPresentOrElse(this::report, () -> problems.resolved(SUBJECT));
    } catch (ErrnoException unknown) {
      // Whether it is there cannot be said; what cannot be saved is reported by who saves.
      return;
    }
  }

  private void report(AgentState.Removal removal) {
    String hint = removal.onlyLock() ? LOCK_HINT : HINT;
    problems.reportHarmless(SUBJECT, removal.message(), Optional.of(hint), true);
  }

  /** Looks for the last time; the state can be closed after that. */
  void end() {
    thread.interrupt();
    look();
    synchronized (this) {
      ended = true;
    }
  }
}
