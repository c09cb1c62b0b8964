package dev.tailwater.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.KnownRuns.Doubt;
import dev.tailwater.delivery.checkpoint.Arrivals;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.time.ArchiveClock;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.ToldTimes;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects a lane: asks the destination what must be known of it before anything is delivered, and
 * then lets delivery begin.
 */
final class LaneConnection {
  private static final String BEGUN_ANEW =
      "what was delivered in encrypted packs before the state was lost cannot be told without the"
          + " content key, which was lost with it: every file is delivered from its beginning, as a"
          + " new stream";
  private static final String OLDER_STATE =
      "the archive holds runs of this agent that its state knows nothing of: the state is an"
          + " earlier copy, or another agent has the same name; what it says is not used, and the"
          + " destination is asked what it holds, as after a lost state";
  private static final String ONE_NAME_EACH =
      "nothing is lost if this machine was set back to a snapshot; give each of several machines"
          + " an agent name (--agent) and a state directory of its own";
  private static final String OLDER_ARCHIVE =
      "the archive lacks what this agent has delivered last: it was emptied or replaced, or objects"
          + " were removed or have expired; the agent asks what is there, as after a lost state, and"
          + " delivers what is missing";
  private static final String FILES_ARE_SENT_AGAIN =
      "what is not in any file any more cannot be delivered again: if the archive is elsewhere,"
          + " keep it";
  private static final String KEEP_THE_KEY =
      "nothing is lost; a key outside of the state directory (content_check_key_file) makes that"
          + " unnecessary the next time";

  private static final String BEGUN_BEHIND_COLD =
      "what was delivered before the state was lost cannot be told, since packs are in cold storage:"
          + " every file that the state does not know is delivered from its beginning, as a new"
          + " stream; the first of them is ";
  private static final String KEEP_THE_STATE =
      "nothing is lost; a state directory that outlives the machine makes that unnecessary the next"
          + " time";

  /** Clocks that agree are not further apart, and nobody can do anything about it. */
  private static final long TOLD_BEHIND_MILLIS = 2_000;

  /** Files that are found before the destination has answered take more memory than others. */
  private static final long PATIENCE_MILLIS = 1_000;

  private final LaneStages stages;
  private final FileRegistry files;
  private final Clocks clocks;
  private final ArchiveClock archiveClock;
  private final Arrivals arrivals;
  private final String agent;
  private volatile boolean connected;

  /** Whether a loss of state is noted; empty until the answer was taken in. */
  private Optional<Boolean> lossNoted = Optional.empty();

  @GuardedBy("this")
  private final List<Runnable> waiting = new ArrayList<>();

  LaneConnection(
      LaneStages stages,
      String agent,
      FileRegistry files,
      Clocks clocks,
      ArchiveClock archiveClock,
      Arrivals arrivals) {
    this.stages = stages;
    this.files = files;
    this.clocks = clocks;
    this.archiveClock = archiveClock;
    this.arrivals = arrivals;
    this.agent = agent;
  }

  /** Returns whether the destination has told what it holds. */
  boolean isConnected() {
    return connected;
  }

  /**
   * Connects when the destination has answered: at once if that is soon, else on the watch thread.
   *
   * @param mayWait whether to wait for its first answer, if the last run did not end cleanly
   * @throws DestinationException when it refuses permanently to answer that
   */
  void connect(WatchLoop watch, boolean mayWait) throws IOException {
    stages
        .keeper
        .start()
        .forgetUnseenSince(clocks.millis() - StartupReconciliation.FORGET_UNSEEN_AFTER.toMillis());
    if (!stages.reconciliation.mayHoldMore()) {
      connectSoon(watch);
      return;
    }
    if (mayWait) {
      try {
        connected(stages.reconciliation.ask());
        return;
      } catch (DestinationException e) {
        if (e.permanent()) {
          throw e;
        }
      }
    }
    stages.deliverer.ask(stages.reconciliation::ask, answer -> connectWhileWatching(watch, answer));
  }

  /**
   * Connects at once where the destination answers soon, as most do. It is not waited for longer:
   * one that hangs must not keep the agent from watching.
   */
  private void connectSoon(WatchLoop watch) throws IOException {
    CompletableFuture<Optional<StartupReconciliation.Answer>> early = new CompletableFuture<>();
    stages.deliverer.ask(
        stages.reconciliation::ask,
        answer -> {
          if (!early.complete(Optional.of(answer))) {
            connectWhileWatching(watch, answer);
          }
        });
    Optional<StartupReconciliation.Answer> answer = await(early);
    if (answer.isPresent()) {
      connected(answer.get());
    }
  }

  /** Waits for an early answer; an answer that comes later is late. */
  private static <T> Optional<T> await(CompletableFuture<Optional<T>> early) {
    try {
      return early.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // It has not answered.
    }
    early.complete(Optional.empty());
    return early.join();
  }

  private void connectWhileWatching(WatchLoop watch, StartupReconciliation.Answer answer) {
    // What cannot be done now, since the state cannot be read or memory is short, is tried again.
    stages.deliverer.ask(() -> connectOnce(watch, answer), _ -> {});
  }

  private boolean connectOnce(WatchLoop watch, StartupReconciliation.Answer answer)
      throws DestinationException {
    try {
      watch.execute(() -> connectedByOrder(answer)).get();
    } catch (CancellationException e) {
      // The agent is stopping; the next start asks again.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new TransientDestinationException(
          stages.destination.uri(),
          "begin delivery to",
          "",
          String.valueOf(e.getCause()),
          "The bytes stay at risk; see whether the state directory can be read.",
          e);
    }
    return true;
  }

  private void connectedByOrder(StartupReconciliation.Answer answer) {
    try {
      connected(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** May be called again when it has failed. */
  private void connected(StartupReconciliation.Answer answer) throws IOException {
    if (connected) {
      runWaiting();
      return;
    }
    if (lossNoted.isEmpty()) {
      lossNoted = Optional.of(settle(answer));
    }
    reportName();
    stages.keeper.connect(
        answer.holdings(),
        answer.doubt().isPresent(),
        files.tails(stages.number),
        !lossNoted.get());
    synchronized (this) {
      connected = true;
    }
    runWaiting();
  }

  /** Does what has waited; what fails waits on. */
  private void runWaiting() {
    for (Optional<Runnable> next = firstWaiting(); next.isPresent(); next = firstWaiting()) {
      next.get().run();
      synchronized (this) {
        waiting.removeFirst();
      }
    }
  }

  private synchronized Optional<Runnable> firstWaiting() {
    return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.getFirst());
  }

  /** Takes in the answer; false when a loss of state could not be noted. */
  private boolean settle(StartupReconciliation.Answer answer) {
    goOnAfter(answer.told());
    boolean noted = noteLoss(answer);
    stages.reconciliation.settle(answer, stages.deliverer);
    if (answer.beginning().isPresent()) {
      reportBegunAnew(stages.problems, answer.cold());
    }
    answer.doubt().ifPresent(this::report);
    stages.merger.remove(answer.superseded());
    return noted;
  }

  /**
   * Has all that this run tells be later than what the archive tells. Files that were found by now
   * come to their paths anew, in the same order.
   */
  private void goOnAfter(ToldTimes told) {
    long ignoredDays = archiveClock.ignoredDays(told.latestMillis());
    if (ignoredDays > 0) {
      stages.problems.reportHarmless(
          "clock",
          "the archive has of agent "
              + agent
              + " what was delivered "
              + ignoredDays
              + " days later than the clock of this machine shows: readers take it for newer than"
              + " what is delivered now",
          Optional.of(
              "set the clock (timedatectl) and restart the agent; if it is right, that of an"
                  + " earlier run was wrong: ship under another --agent name"),
          false);
    }
    long behindMillis = archiveClock.goOnAfter(told.credibleMillis());
    if (behindMillis + arrivals.goOnAfter(told.arrivalMillis()) == 0) {
      return;
    }
    files.all().stream()
        .sorted(Comparator.comparingLong(file -> file.archivedPlace().arrivalNanos().orElse(0)))
        .forEach(WatchedFile::comeAnew);
    arrivals.note(); // Before anything is told.
    if (behindMillis >= TOLD_BEHIND_MILLIS) {
      stages.problems.reportHarmless(
          "clock",
          "the clock of this machine is "
              + TimeUnit.MILLISECONDS.toSeconds(behindMillis)
              + " s behind what the archive has of agent "
              + agent,
          Optional.of(
              "times in the archive go on from there until the clock has caught up; set the clock"
                  + " (timedatectl), and see whether another machine has the same agent name"),
          false);
    }
  }

  /** Runs this once the destination has told what it holds; at once if it has. */
  void whenConnected(Runnable action) {
    synchronized (this) {
      if (!connected) {
        waiting.add(action);
        return;
      }
    }
    action.run();
  }

  /**
   * Reports that everything is delivered from its beginning.
   *
   * @param cold the object for which it is, unless it is for a key that is lost
   */
  static void reportBegunAnew(Problems problems, Optional<ColdObjectException> cold) {
    problems.reportHarmless(
        "lost state",
        cold.map(first -> BEGUN_BEHIND_COLD + first.getMessage()).orElse(BEGUN_ANEW),
        Optional.of(cold.isPresent() ? KEEP_THE_STATE : KEEP_THE_KEY),
        true);
  }

  private void report(Doubt doubt) {
    switch (doubt) {
      case OLDER_STATE ->
          stages.problems.reportHarmless(
              "older state", OLDER_STATE, Optional.of(ONE_NAME_EACH), true);
      case OLDER_ARCHIVE ->
          stages.problems.reportHarmless(
              "older archive", OLDER_ARCHIVE, Optional.of(FILES_ARE_SENT_AGAIN), true);
    }
  }

  private void reportName() throws IOException {
    Optional<String> first = stages.checkpoints.notedAgent();
    if (first.isEmpty()) {
      stages.saver.note("agent name", () -> stages.checkpoints.noteAgent(agent));
    } else if (!first.get().equals(agent)) {
      stages.problems.reportHarmless(
          "agent name",
          "files that were delivered under the name '"
              + first.get()
              + "' go on under it, and new ones are delivered under the name '"
              + agent
              + "'",
          Optional.of(
              "'restore' without --agent finds all; to have all under the new name, remove 'files'"
                  + " and 'log-*' from the state directory while the agent is stopped"),
          true);
    }
  }

  /** Notes a loss of state; false when that failed, and the next start must ask again. */
  private boolean noteLoss(StartupReconciliation.Answer answer) {
    long nowMillis = clocks.millis();
    return stages.saver.note(
        "loss of state", () -> stages.reconciliation.noteLoss(answer, nowMillis));
  }
}
