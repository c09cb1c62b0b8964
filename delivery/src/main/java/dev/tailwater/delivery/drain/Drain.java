package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.watch.WatchLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Steady, hurry, last gasp. In a hurry nothing waits to become old or large; every file is looked
 * at, read to its end and delivered, and what is written meanwhile too. When the deadline is near,
 * reading stops, and what is left is written down to the byte.
 *
 * <p>It is over when everything is durable at every required destination, and at each of the others
 * too, unless that has delivered nothing for some seconds.
 */
public final class Drain {
  /** After so many looks files are still growing, and only their programs can end that. */
  private static final int MAX_LOOKS = 3;

  private static final int PAUSE_MILLIS = 5;

  private final DrainContext context;
  private final List<LaneDrain> lanes;

  public Drain(DrainContext context) {
    this.context = context;
    this.lanes =
        context.lanes().stream().map(lane -> new LaneDrain(lane, context.nanoClock())).toList();
  }

  /** The stages that a drain drives. */
  public record DrainContext(
      String agent,
      WatchLoop watch,
      List<DrainLane> lanes,
      Problems problems,
      LongSupplier nanoClock,
      LongSupplier clockMillis) {}

  /**
   * Drains. To be called once.
   *
   * @param deadline how long it may take; empty: as long as there is progress to be made
   * @param forGood whether the agent ends then: near the deadline reading stops for ever, and what
   *     is left is written down. Otherwise the stages go on steadily
   */
  public DrainReport run(Optional<Duration> deadline, boolean forGood) throws InterruptedException {
    context.lanes().forEach(lane -> lane.hurry(true));
    context.watch().hurry(true);
    try {
      return hurried(deadline, forGood);
    } finally {
      if (!forGood) {
        context.lanes().forEach(lane -> lane.hurry(false));
        context.watch().hurry(false);
      }
    }
  }

  private DrainReport hurried(Optional<Duration> deadline, boolean forGood)
      throws InterruptedException {
    long startNanos = context.nanoClock().getAsLong();
    Optional<Long> gaspNanos = deadline.map(d -> startNanos + d.minus(margin(d)).toNanos());
    if (forGood) {
      context.watch().endNamelessAtOnce();
    }
    context.lanes().forEach(lane -> lane.deliverer().retryNow());

    for (int looks = 1; looks <= MAX_LOOKS && look(gaspNanos); looks++) {
      if (lanes.stream().allMatch(LaneDrain::isNothingLeft) || !deliverWhatWasSeen(gaspNanos)) {
        break;
      }
    }
    boolean inTime = !isOver(gaspNanos);
    if (forGood && lanes.stream().anyMatch(lane -> !lane.leftBehind().isEmpty())) {
      lastGasp(deadline, startNanos);
    }
    return report(Duration.ofNanos(context.nanoClock().getAsLong() - startNanos), inTime);
  }

  private static Duration margin(Duration deadline) {
    Duration tenth = deadline.dividedBy(10);
    return tenth.compareTo(Duration.ofSeconds(2)) < 0 ? tenth : Duration.ofSeconds(2);
  }

  private boolean isOver(Optional<Long> gaspNanos) {
    return gaspNanos.isPresent() && context.nanoClock().getAsLong() - gaspNanos.get() >= 0;
  }

  /** Looks at every source and file; false when there was no time for that. */
  private boolean look(Optional<Long> gaspNanos) throws InterruptedException {
    var looked = context.watch().lookAtEverything();
    while (!looked.isDone()) {
      if (isOver(gaspNanos)) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    if (looked.isCompletedExceptionally()) {
      throw new IllegalStateException("the watch has failed", looked.exceptionNow());
    }
    return true;
  }

  /** Waits until all that was seen is durable; false when that could not be reached. */
  private boolean deliverWhatWasSeen(Optional<Long> gaspNanos) throws InterruptedException {
    lanes.forEach(LaneDrain::aimAtWhatWasSeen);
    while (true) {
      boolean waiting = false;
      boolean givenUp = false;
      for (LaneDrain lane : lanes) {
        switch (lane.state()) {
          case REACHED, STALLED -> {}
          case BUSY -> waiting = true;
          case IDLE -> {
            // Without a deadline nobody waits for what has been given up.
            givenUp |= gaspNanos.isEmpty() && lane.lane().required();
            waiting |= gaspNanos.isPresent();
          }
        }
      }
      if (!waiting) {
        return !givenUp;
      }
      if (isClosed() || isOver(gaspNanos)) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Whether there is somebody whose reading has ended for ever. */
  private boolean isClosed() {
    return context.lanes().stream().anyMatch(lane -> lane.required() && lane.queue().isClosed());
  }

  private void lastGasp(Optional<Duration> deadline, long startNanos) throws InterruptedException {
    context.lanes().forEach(lane -> lane.queue().close());
    if (deadline.isPresent()) {
      long waitMillis = leftMillis(deadline.get(), startNanos) * 2 / 3;
      long waitFrom = context.nanoClock().getAsLong();
      for (LaneDrain lane : lanes) {
        if (lane.state() != LaneDrain.State.STALLED) {
          long spentMillis = (context.nanoClock().getAsLong() - waitFrom) / 1_000_000;
          lane.lane().deliverer().awaitIdle(Math.max(0, waitMillis - spentMillis));
        }
      }
    }
    List<DestinationDrain> left =
        lanes.stream().map(lane -> lane.report(lane.leftBehind())).toList();
    if (left.stream().anyMatch(d -> !d.leftBehind().isEmpty())) {
      new LeftBehindRecord(context.agent(), context.clockMillis().getAsLong(), left)
          .put(
              context.lanes(),
              context.problems(),
              deadline.map(d -> Duration.ofMillis(leftMillis(d, startNanos))));
    }
  }

  private long leftMillis(Duration deadline, long startNanos) {
    return deadline.minusNanos(context.nanoClock().getAsLong() - startNanos).toMillis();
  }

  private DrainReport report(Duration took, boolean inTime) {
    List<DestinationDrain> drained =
        lanes.stream().map(lane -> lane.report(lane.leftBehind())).toList();
    List<DestinationDrain> required = drained.stream().filter(DestinationDrain::required).toList();
    Set<String> bestEffort =
        drained.stream()
            .filter(d -> !d.required())
            .map(DestinationDrain::name)
            .collect(Collectors.toSet());
    List<Problem> problems = context.problems().open();
    return new DrainReport(
        required.stream().mapToLong(DestinationDrain::deliveredBytes).min().orElse(0),
        required.stream().mapToLong(DestinationDrain::deliveredSegments).sum(),
        took,
        LeftBehind.union(required.stream().map(DestinationDrain::leftBehind).toList()),
        problems.stream()
            .filter(p -> p.destination().filter(bestEffort::contains).isEmpty())
            .toList(),
        problems.stream()
            .filter(p -> p.destination().filter(bestEffort::contains).isPresent())
            .toList(),
        inTime,
        drained);
  }
}
