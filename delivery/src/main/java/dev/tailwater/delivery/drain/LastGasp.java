package dev.tailwater.delivery.drain;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The end of an agent that will not go on: nothing is read any more, what is under way may still
 * arrive, and what is left is written down at the destinations. Used once.
 */
final class LastGasp {
  private final Drain.DrainContext context;
  private final List<LaneDrain> lanes;
  private final DrainDeadline deadline;

  LastGasp(Drain.DrainContext context, List<LaneDrain> lanes, DrainDeadline deadline) {
    this.context = context;
    this.lanes = lanes;
    this.deadline = deadline;
  }

  /**
   * Ends it. Each destination is told what it lacks, even if that is nothing: nobody could tell an
   * agent that has delivered everything from one that was killed.
   *
   * @param hasSeen whether every file was looked at, so that streams can be called complete
   */
  void end(DrainOrder order, boolean hasSeen) throws InterruptedException {
    boolean machineGoes = order.end() == DrainOrder.End.AT_DEADLINE;
    if (machineGoes || lanes.stream().anyMatch(lane -> !lane.leftBehind().isEmpty())) {
      order.listener().entered(DrainPhase.LAST_GASP, deadline.left());
      context.lanes().forEach(lane -> lane.queue().close());
      awaitWhatIsUnderWay();
    }
    List<LeftBehindRecord.Drained> drained =
        lanes.stream()
            .map(
                lane ->
                    new LeftBehindRecord.Drained(
                        lane.report(lane.leftBehind()), hasSeen ? lane.complete() : List.of()))
            .toList();
    new LeftBehindRecord(
            context.agent(), context.clockMillis().getAsLong(), deadline.elapsed(), drained)
        .put(context.lanes(), context.problems(), deadline.left());
  }

  private void awaitWhatIsUnderWay() throws InterruptedException {
    Optional<Duration> left = deadline.left();
    if (left.isEmpty()) {
      return;
    }
    long endNanos = context.nanoClock().getAsLong() + left.get().toNanos() * 2 / 3;
    List<DrainLane> awaited =
        lanes.stream()
            .filter(lane -> lane.state() != LaneDrain.State.STALLED)
            .map(LaneDrain::lane)
            .toList();
    // A worker may be within a segment, and what it hands over then, to any of them, is under way.
    for (DrainLane lane : awaited) {
      lane.queue().awaitReleases(millisUntil(endNanos));
    }
    for (DrainLane lane : awaited) {
      lane.deliverer().awaitIdle(millisUntil(endNanos));
    }
  }

  private long millisUntil(long endNanos) {
    long leftNanos = endNanos - context.nanoClock().getAsLong();
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, leftNanos));
  }
}
