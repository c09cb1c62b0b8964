package dev.tailwater.delivery;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.watch.FileRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/**
 * Connects a lane: asks the destination what it holds, if that must be known before anything is
 * delivered, and then lets delivery begin.
 */
final class LaneConnection {
  private static final String BEGUN_ANEW =
      "what was delivered in encrypted packs before the state was lost cannot be told without the"
          + " content key, which was lost with it: every file is delivered from its beginning, as a"
          + " new stream";
  private static final String KEEP_THE_KEY =
      "nothing is lost; a key outside of the state directory (content_check_key_file) makes that"
          + " unnecessary the next time";

  private final LaneStages stages;
  private final FileRegistry files;
  private final Clocks clocks;
  private volatile boolean connected;

  LaneConnection(LaneStages stages, FileRegistry files, Clocks clocks) {
    this.stages = stages;
    this.files = files;
    this.clocks = clocks;
  }

  /** Returns whether the destination has told what it holds, if it must be asked. */
  boolean isConnected() {
    return connected;
  }

  /**
   * Connects at once where the destination need not be asked, or answers when {@code waits}; later,
   * on the watch thread, otherwise.
   *
   * @param waits whether to wait for its first answer
   * @throws DestinationException when it refuses permanently to answer
   */
  void connect(WatchLoop watch, boolean waits) throws IOException {
    stages.keeper.forgetUnseenSince(
        clocks.millis() - StartupReconciliation.FORGET_UNSEEN_AFTER.toMillis());
    if (!stages.reconciliation.isNeeded() || waits) {
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

  private void connectWhileWatching(WatchLoop watch, StartupReconciliation.Answer answer)
      throws InterruptedException {
    try {
      watch.execute(() -> connectedByOrder(answer)).get();
    } catch (CancellationException e) {
      // The agent is stopping; the next start asks again.
      return;
    } catch (ExecutionException e) {
      stages.problems.report(
          "destination " + stages.destination.uri(),
          "delivery to " + stages.destination.uri() + " cannot begin: " + e.getCause(),
          Optional.of("this should not happen; the bytes stay at risk; restart the agent"),
          true);
    }
  }

  private void connectedByOrder(StartupReconciliation.Answer answer) {
    try {
      connected(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connected(StartupReconciliation.Answer answer) throws IOException {
    boolean noted = noteLoss(answer);
    stages.reconciliation.settle(answer, stages.deliverer);
    if (answer.beginning().isPresent()) {
      reportBegunAnew(stages.problems);
    }
    stages.merger.remove(answer.superseded());
    stages.keeper.connect(answer.holdings(), files, noted);
    connected = true;
  }

  /** Reports that everything is delivered from its beginning. */
  static void reportBegunAnew(Problems problems) {
    problems.reportHarmless("lost state", BEGUN_ANEW, Optional.of(KEEP_THE_KEY), true);
  }

  /** Notes a loss of state; false when that failed, and the next start must ask again. */
  private boolean noteLoss(StartupReconciliation.Answer answer) {
    long nowMillis = clocks.millis();
    return stages.saver.note(
        "loss of state", () -> stages.reconciliation.noteLoss(answer, nowMillis));
  }
}
