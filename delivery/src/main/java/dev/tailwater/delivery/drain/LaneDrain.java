package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.StagedRange;
import dev.tailwater.delivery.tail.Tail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How one destination fares in a drain. Used by the draining thread only. */
final class LaneDrain {
  /** So long a best-effort destination may deliver nothing before it is not waited for any more. */
  private static final long STALLED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final DrainLane lane;
  private final LongSupplier nanoClock;
  private final long bytesBefore;
  private final long segmentsBefore;
  private final List<Target> targets = new ArrayList<>();
  private final Set<StagedRange> underWay = new HashSet<>();
  private long segmentsSeen;
  private long progressNanos;
  private boolean stalled;
  private Map<Tail, Long> sizesBefore = Map.of();

  LaneDrain(DrainLane lane, LongSupplier nanoClock) {
    this.lane = lane;
    this.nanoClock = nanoClock;
    this.bytesBefore = lane.counters().rawBytes();
    this.segmentsBefore = lane.counters().segments();
    this.segmentsSeen = segmentsBefore;
    this.progressNanos = nanoClock.getAsLong();
  }

  DrainLane lane() {
    return lane;
  }

  boolean isNothingLeft() {
    return lane.isIdle() && lane.queue().isEmpty() && leftBehind().isEmpty() && !isChangeSettling();
  }

  /** From here on, all that was seen by now is to become durable. */
  void aimAtWhatWasSeen() {
    targets.clear();
    if (!stalled) {
      progressNanos = nanoClock.getAsLong(); // It had nothing to do, so it did nothing.
    }
    for (Tail tail : lane.tails().get()) {
      targets.add(new Target(tail, lane.queue()));
    }
    underWay.clear();
    underWay.addAll(lane.deliverer().notDurable());
  }

  /** Whether all that was aimed at is durable, whatever has been written since. */
  boolean isAimReached() {
    targets.removeIf(Target::isReached);
    underWay.removeIf(lane.deliverer()::isDurable);
    return targets.isEmpty() && underWay.isEmpty();
  }

  /** What has become of the aim. */
  enum State {
    REACHED,
    BUSY,
    /** Nothing is under way, and what cannot be done now may be done later. */
    IDLE,
    /** It is best effort, and has delivered nothing for a while. */
    STALLED
  }

  State state() {
    boolean idle = lane.isIdle();
    targets.removeIf(Target::isReached);
    stalled = !lane.required() && !deliversNow();
    if (idle && targets.isEmpty()) {
      stalled = false;
      progressNanos = nanoClock.getAsLong();
      return State.REACHED;
    }
    if (stalled) {
      return State.STALLED;
    }
    return idle ? State.IDLE : State.BUSY;
  }

  private boolean deliversNow() {
    long segments = lane.counters().segments();
    long now = nanoClock.getAsLong();
    if (segments != segmentsSeen) {
      segmentsSeen = segments;
      progressNanos = now;
    }
    return now - progressNanos < STALLED_AFTER_NANOS;
  }

  /** Reading stops: what is longer from now on was still growing then. */
  void noteSizes() {
    sizesBefore = new HashMap<>();
    lane.tails().get().forEach(tail -> sizesBefore.put(tail, tail.observedBytes()));
  }

  private boolean isGrowing(Tail tail) {
    return tail.observedBytes() > sizesBefore.getOrDefault(tail, Long.MAX_VALUE);
  }

  /** Whether a further look is all that is needed to tell if a file was changed in place. */
  boolean isChangeSettling() {
    return lane.tails().get().stream().anyMatch(Tail::isChangeSettling);
  }

  /** The streams that have not ended and of which nothing is missing, as their files were seen. */
  List<StreamId> complete() {
    List<StreamId> complete = new ArrayList<>();
    for (Tail tail : lane.tails().get()) {
      // A worker who has claimed it may be about to find that it was truncated.
      if (tail.isIdentified()
          && !tail.hasWork()
          && !lane.queue().isClaimed(tail)
          && tail.atRiskBytes() == 0
          && !tail.isSuspectedOfChange()
          && !tail.isChangedInPlace()) {
        complete.add(tail.stream().id());
      }
    }
    return complete;
  }

  /** Whether there are files of which nobody knows if their bytes are durable. */
  boolean isInDoubt() {
    return lane.tails().get().stream()
        .anyMatch(
            tail ->
                (Target.isDoubtful(tail, lane.queue()) || tail.isSuspectedOfChange())
                    && tail.stream().missing(tail.observedBytes()).isEmpty());
  }

  List<LeftBehind> leftBehind() {
    List<LeftBehind> left = new ArrayList<>();
    Set<StreamProgress> present = new HashSet<>();
    for (Tail tail : lane.tails().get()) {
      StreamProgress stream = tail.stream();
      List<ByteRange> ranges = stream.missing(tail.observedBytes());
      if (!ranges.isEmpty()) {
        left.add(new LeftBehind(tail.file().archivedName(), stream.id(), ranges, isGrowing(tail)));
      }
      present.add(stream);
    }
    // Of a stream that has ended, only what was read of it can still be delivered.
    for (StagedRange staged : lane.deliverer().notDurable()) {
      if (!present.contains(staged.stream())) {
        left.add(
            new LeftBehind(
                staged.stream().path(), staged.stream().id(), List.of(staged.range()), false));
      }
    }
    return left;
  }

  DestinationDrain report(List<LeftBehind> left) {
    return new DestinationDrain(
        lane.name(),
        lane.required(),
        lane.counters().rawBytes() - bytesBefore,
        lane.counters().segments() - segmentsBefore,
        left);
  }
}
