package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.StagedRange;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.watch.TailRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Steady, hurry, last gasp. In a hurry nothing waits to become old or large; every file is looked
 * at, read to its end and delivered, and what is written meanwhile too. When the deadline is near,
 * reading stops, and what is left is written down to the byte.
 */
public final class Drain {
  /** After so many looks files are still growing, and only their programs can end that. */
  private static final int MAX_LOOKS = 3;

  private static final int PAUSE_MILLIS = 5;

  private final DrainContext context;

  public Drain(DrainContext context) {
    this.context = context;
  }

  /** The stages that a drain drives. */
  public record DrainContext(
      String agent,
      WatchLoop watch,
      TailRegistry tails,
      DueQueue queue,
      Deliverer deliverer,
      DeliveryCounters counters,
      Destination destination,
      Problems problems,
      LongSupplier nanoClock,
      LongSupplier clockMillis) {}

  /** Of one stream, how far it must be durable. */
  private record Target(StreamProgress stream, long untilBytes) {
    boolean isReached() {
      return stream.durableBytes() >= untilBytes
          || stream.ending().filter(e -> stream.isComplete()).isPresent();
    }
  }

  /**
   * Drains.
   *
   * @param deadline how long it may take; empty: as long as there is progress to be made
   * @param forGood whether the agent ends then: near the deadline reading stops for ever, and what
   *     is left is written down. Otherwise the stages go on steadily
   */
  public DrainReport run(Optional<Duration> deadline, boolean forGood) throws InterruptedException {
    long startNanos = context.nanoClock().getAsLong();
    long rawBefore = context.counters().rawBytes();
    long segmentsBefore = context.counters().segments();
    Optional<Long> gaspNanos = deadline.map(d -> startNanos + d.minus(margin(d)).toNanos());
    context.queue().hurry(true);
    context.watch().hurry(true);
    if (forGood) {
      context.watch().endNamelessAtOnce();
    }
    context.deliverer().retryNow();

    for (int looks = 1; looks <= MAX_LOOKS && look(gaspNanos); looks++) {
      if (isNothingLeft() || !deliverWhatWasSeen(gaspNanos)) {
        break;
      }
    }
    boolean inTime = !isOver(gaspNanos);
    List<LeftBehind> left = leftBehind();
    if (!forGood) {
      context.queue().hurry(false);
      context.watch().hurry(false);
    } else if (!left.isEmpty()) {
      left = lastGasp(deadline, startNanos);
    }
    return new DrainReport(
        context.counters().rawBytes() - rawBefore,
        context.counters().segments() - segmentsBefore,
        Duration.ofNanos(context.nanoClock().getAsLong() - startNanos),
        left,
        context.problems().open(),
        inTime);
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

  private boolean isNothingLeft() {
    return isIdle() && context.queue().isEmpty() && leftBehind().isEmpty();
  }

  /** Waits until all that was seen is durable; false when that could not be reached. */
  private boolean deliverWhatWasSeen(Optional<Long> gaspNanos) throws InterruptedException {
    List<Target> targets = new ArrayList<>();
    for (Tail tail : context.tails().all()) {
      targets.add(new Target(tail.stream(), tail.observedBytes()));
    }
    while (true) {
      boolean idle = isIdle();
      targets.removeIf(Target::isReached);
      if (idle && targets.isEmpty()) {
        return true;
      }
      // Without a deadline nobody waits for what has been given up.
      if (context.queue().isClosed() || isOver(gaspNanos) || (idle && gaspNanos.isEmpty())) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private boolean isIdle() {
    // The queue first: a worker hands its segment over before it gives its tail back, so what has
    // left the queue is under way by now.
    return (context.queue().isEmpty() || context.queue().hasOnlyDeferred())
        && context.deliverer().underWay() == 0;
  }

  private List<LeftBehind> lastGasp(Optional<Duration> deadline, long startNanos)
      throws InterruptedException {
    context.queue().close();
    if (deadline.isPresent()) {
      long spentNanos = context.nanoClock().getAsLong() - startNanos;
      long leftMillis = deadline.get().minusNanos(spentNanos).toMillis();
      context.deliverer().awaitIdle(leftMillis * 2 / 3);
    }
    List<LeftBehind> left = leftBehind();
    if (!left.isEmpty()) {
      try {
        context
            .destination()
            .putObject(
                LeftBehindRecord.key(context.agent()),
                LeftBehindRecord.toJson(context.agent(), context.clockMillis().getAsLong(), left));
      } catch (DestinationException e) {
        context
            .problems()
            .report(
                "left-behind.json",
                String.valueOf(e.getMessage()),
                Optional.of(e.hint()),
                e.permanent());
      }
    }
    return left;
  }

  private List<LeftBehind> leftBehind() {
    List<LeftBehind> left = new ArrayList<>();
    Set<StreamProgress> present = new HashSet<>();
    for (Tail tail : context.tails().all()) {
      StreamProgress stream = tail.stream();
      List<ByteRange> ranges = stream.missing(tail.observedBytes());
      if (!ranges.isEmpty()) {
        left.add(new LeftBehind(tail.name(), stream.id(), ranges));
      }
      present.add(stream);
    }
    // Of a stream that has ended, only what was read of it can still be delivered.
    for (StagedRange staged : context.deliverer().notDurable()) {
      if (!present.contains(staged.stream())) {
        left.add(
            new LeftBehind(staged.stream().path(), staged.stream().id(), List.of(staged.range())));
      }
    }
    return left;
  }
}
