package dev.tailwater.delivery.drain;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.deliver.StagedRange;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ComparisonAim;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The progress of a drain at one destination. Used by the draining thread only. */
final class LaneDrain {
  /** A best-effort destination that delivers nothing for this long is not waited for. */
  private static final long STALLED_AFTER_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * How long a destination that has all that was aimed at is waited for, since it is busy with what
   * came later or belongs to no file: files that grow all the time would keep it busy for ever.
   */
  private static final long BUSY_AFTER_AIM_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final DrainLane lane;
  private final LongSupplier nanoClock;
  private final long bytesBefore;
  private final long segmentsBefore;
  private final List<Target> targets = new ArrayList<>();
  private final Set<StagedRange> underWay = new HashSet<>();

  /** What is yet to be compared of each file, as it was when the aim was set. */
  private final Map<Tail, ComparisonAim> comparisons = new HashMap<>();

  /** The files of which no comparison is to come: it has failed, or they were closed before it. */
  private final Map<Tail, ComparisonAim> givenUp = new HashMap<>();

  /** The files that were compared since the drain began, and the streams that they were at. */
  private final Map<Tail, StreamProgress> compared = new HashMap<>();

  /** When each file was found to be compared of which bytes may be to be delivered again. */
  private final Map<Tail, Long> revisions = new HashMap<>();

  /** Whether every file had been looked at when the aim was set. */
  private boolean aimsAtAll;

  private boolean comparesAgain;

  private long segmentsSeen;
  private long progressNanos;
  private boolean stalled;

  /** When all that was aimed at was found to be durable. */
  private OptionalLong reachedAtNanos = OptionalLong.empty();

  /** Of the files that were in memory when reading stopped; empty until then. */
  private Optional<Map<Tail, Long>> sizesBefore = Optional.empty();

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

  /** Has compared again what may have been written to since, without a look that tells of it. */
  void compareWhatMayBeWrittenUnseen() {
    lane.tails().get().forEach(tail -> tail.content().compareIfWrittenUnseen());
  }

  boolean isNothingLeft() {
    return lane.isIdle()
        && lane.queue().isEmpty()
        && leftBehind().isEmpty()
        && !isChangeSettling()
        && !isComparing()
        && !hasUnnotedChanges()
        && lane.isIdle() // Once more: a comparison that ended may have something told.
        && lane.queue().isEmpty();
  }

  /**
   * Aims at all that was seen by now: it is to become durable.
   *
   * @param isAllSeen whether every file was looked at
   * @param comparesAgain whether files that were compared since the drain began are waited for, if
   *     they were written to since
   */
  void aimAtWhatWasSeen(boolean isAllSeen, boolean comparesAgain) {
    aimsAtAll = isAllSeen;
    this.comparesAgain = comparesAgain;
    targets.clear();
    comparisons.clear();
    givenUp.clear();
    revisions.clear();
    reachedAtNanos = OptionalLong.empty();
    if (!stalled) {
      progressNanos = nanoClock.getAsLong(); // It has had nothing to do.
    }
    for (Tail tail : lane.tails().get()) {
      comparisons.put(tail, tail.content().aim()); // First: the target is no less.
      targets.add(new Target(tail, lane.queue()));
    }
    compared.keySet().retainAll(comparisons.keySet());
    underWay.clear();
    underWay.addAll(lane.deliverer().notDurable());
  }

  /**
   * Returns whether all that was aimed at is durable, whatever has been written since; but for what
   * is {@linkplain #isComparingAim yet to be compared}.
   */
  boolean isAimReached() {
    underWay.removeIf(lane.deliverer()::isDurable);
    return areTargetsReached() && underWay.isEmpty() && areRevisionsReached();
  }

  /** Returns whether what the comparisons have found is durable. */
  private boolean areRevisionsReached() {
    revisions
        .entrySet()
        .removeIf(aim -> !aim.getKey().stream().blocks().isRevisingSince(aim.getValue()));
    return revisions.isEmpty();
  }

  /**
   * Returns whether every file is durable as far as it was seen. Asks about no more files than it
   * must: this is called every few milliseconds, of tens of thousands of files.
   */
  private boolean areTargetsReached() {
    while (!targets.isEmpty() && targets.getLast().isReached()) {
      targets.removeLast();
    }
    return targets.isEmpty();
  }

  /** How far the aim is reached. */
  enum State {
    REACHED,
    BUSY,
    /** Nothing is under way, and what failed may be tried again later. */
    IDLE,
    /** The destination is best effort, and has delivered nothing for a while. */
    STALLED
  }

  State state() {
    boolean idle = lane.isIdle();
    boolean reached = idle ? areTargetsReached() : isLongReached();
    stalled = !lane.required() && !deliversNow();
    if (reached) {
      stalled = false;
      progressNanos = nanoClock.getAsLong();
      return State.REACHED;
    }
    if (stalled) {
      return State.STALLED;
    }
    return idle ? State.IDLE : State.BUSY;
  }

  private boolean isLongReached() {
    if (!isAimReached()) {
      return false;
    }
    long now = nanoClock.getAsLong();
    if (reachedAtNanos.isEmpty()) {
      reachedAtNanos = OptionalLong.of(now);
    }
    return now - reachedAtNanos.getAsLong() >= BUSY_AFTER_AIM_NANOS;
  }

  private boolean deliversNow() {
    long segments = lane.counters().segments();
    long now = nanoClock.getAsLong();
    if (segments != segmentsSeen || lane.waitsForBandwidth().getAsBoolean()) {
      segmentsSeen = segments;
      progressNanos = now;
    }
    return now - progressNanos < STALLED_AFTER_NANOS;
  }

  /** Notes the sizes when reading stops, to tell later which files were still growing. */
  void noteSizes() {
    Map<Tail, Long> sizes = new HashMap<>();
    lane.tails().get().forEach(tail -> sizes.put(tail, tail.observedBytes()));
    sizesBefore = Optional.of(sizes);
  }

  private boolean isGrowing(Tail tail) {
    // A file that came back to memory since had nothing at risk then.
    return sizesBefore
        .map(sizes -> sizes.getOrDefault(tail, tail.positionBytes()))
        .filter(sizeBytes -> tail.observedBytes() > sizeBytes)
        .isPresent();
  }

  /** Returns whether files are yet to be compared with what was read of them. */
  private boolean isComparing() {
    return lane.tails().get().stream().anyMatch(tail -> tail.content().awaitsComparison());
  }

  /**
   * Returns whether files are yet to be compared as they were when the aim was set. What is not
   * durable is not: it is waited for, or given up. Nor is a file whose stream is in doubt, which
   * may stay so: it is not resumed before the destination has told what it holds.
   */
  boolean isComparingAim() {
    comparisons.replaceAll(LaneDrain::atStreamOfNow);
    comparisons.entrySet().removeIf(aim -> isCompared(aim.getKey(), aim.getValue()));
    return comparisons.entrySet().stream()
        .anyMatch(aim -> isComparable(aim.getKey(), aim.getValue()));
  }

  /**
   * Returns the aim, or another one if the destination has named another stream since. What follows
   * a truncation that was found since was read since.
   */
  private static ComparisonAim atStreamOfNow(Tail tail, ComparisonAim aim) {
    boolean named = tail.stream() != aim.stream() && aim.stream().ending().isEmpty();
    return named ? tail.content().aim() : aim;
  }

  private boolean isComparable(Tail tail, ComparisonAim aim) {
    boolean durable =
        (tail.isAllReadDurable() && isWaitedFor(tail))
            || (isFirstOf(tail, aim) && tail.isComparable(aim.untilBytes()));
    return durable && !tail.isStreamInDoubt();
  }

  private boolean isWaitedFor(Tail tail) {
    return comparesAgain || compared.get(tail) != tail.stream();
  }

  /**
   * Returns whether the file was not compared yet since the drain began. Of a file that grows all
   * the time, one comparison is waited for: it reads all of the file, and what is written later is
   * not what the drain began for.
   */
  private boolean isFirstOf(Tail tail, ComparisonAim aim) {
    return tail.stream() == aim.stream() && compared.get(tail) != aim.stream();
  }

  /**
   * Returns whether every file was compared, since the drain began, as it was when the aim was set.
   * To be called after {@link #isComparingAim}.
   */
  boolean isAimCompared() {
    return !hasGivenUpComparison()
        && comparisons.entrySet().stream()
            .noneMatch(aim -> isUncompared(aim.getKey(), aim.getValue()));
  }

  private boolean isUncompared(Tail tail, ComparisonAim aim) {
    boolean isTruncated = tail.stream() != aim.stream() && aim.stream().ending().isPresent();
    return !isTruncated && compared.get(tail) != aim.stream();
  }

  private boolean hasGivenUpComparison() {
    return givenUp.entrySet().stream()
        .anyMatch(aim -> aim.getKey().content().lacksComparison(aim.getValue()));
  }

  /** Returns whether there are files that are not compared, be a comparison to come or not. */
  boolean lacksComparisons() {
    return lane.tails().get().stream().anyMatch(tail -> tail.content().lacksComparison());
  }

  /**
   * Returns whether a file is compared, or no comparison of it is to come; if so, what it was found
   * to have is aimed at.
   */
  private boolean isCompared(Tail tail, ComparisonAim aim) {
    boolean isUnresumed = tail.isStreamInDoubt() && !tail.isResumed();
    if (isUnresumed || tail.content().awaitsComparison(aim)) {
      return false; // Of a stream that the destination names later, more may be to be compared.
    }
    if (Target.isDoubtful(tail, lane.queue())) {
      targets.add(new Target(tail, lane.queue())); // It may be at another stream.
    }
    if (tail.stream().blocks().isRevising()) {
      revisions.put(tail, nanoClock.getAsLong());
    }
    if (tail.content().lacksComparison(aim)) {
      givenUp.put(tail, aim);
    } else if (aimsAtAll) {
      compared.put(tail, aim.stream());
    }
    return true;
  }

  /** Asks for the comparisons that are waited for. */
  void requestComparisons() {
    comparisons.forEach(
        (tail, aim) -> {
          tail.requestComparison();
          if (isWaitedFor(tail) && tail.content().awaitsComparison(aim)) {
            long untilBytes = isFirstOf(tail, aim) ? aim.untilBytes() : Long.MAX_VALUE;
            tail.file().comparisons().awaited(tail, untilBytes);
          }
        });
  }

  /**
   * Returns whether a comparison has found what cannot be delivered, and the watch, which has
   * reports tell of it, has not looked since.
   */
  boolean hasUnnotedChanges() {
    return lane.required()
        && lane.tails().get().stream().anyMatch(tail -> tail.content().hasNewsOfChange());
  }

  /** Returns whether one more look would tell if some file was changed in place. */
  boolean isChangeSettling() {
    return lane.tails().get().stream().anyMatch(tail -> tail.content().needsOnlyALook());
  }

  /**
   * Returns the streams that have not ended and of which nothing that was seen is missing. To be
   * called when reading has stopped.
   */
  List<StreamId> complete() {
    List<StreamId> complete = new ArrayList<>();
    for (Tail tail : lane.tails().get()) {
      // A worker that has claimed it may be about to find that it was truncated. First: reading has
      // stopped, so that no other one claims it afterwards.
      if (!lane.queue().isClaimed(tail)) {
        tail.work().completeStream().ifPresent(complete::add);
      }
    }
    return complete;
  }

  /** Returns whether there are files whose bytes may or may not be durable. */
  boolean isInDoubt() {
    return lane.tails().get().stream()
            .anyMatch(
                tail ->
                    (Target.isDoubtful(tail, lane.queue()) || !tail.content().isSettled())
                        && missing(tail.work().atRisk()).isEmpty())
        || isComparingAim()
        || hasGivenUpComparison()
        || hasUnnotedChanges();
  }

  private static List<ByteRange> missing(TailWork.AtRisk tail) {
    return tail.stream().missing(tail.sizeBytes());
  }

  List<LeftBehind> leftBehind() {
    List<LeftBehind> left = new ArrayList<>();
    List<StreamProgress> present = new ArrayList<>();
    for (Tail tail : lane.tails().get()) {
      TailWork.AtRisk now = tail.work().atRisk();
      StreamProgress stream = now.stream();
      List<ByteRange> ranges = new ArrayList<>(stream.blocks().revising());
      ranges.addAll(missing(now));
      if (!ranges.isEmpty()) {
        left.add(new LeftBehind(tail.file().archivedName(), stream.id(), ranges, isGrowing(tail)));
      }
      present.add(stream);
    }
    // Of a stream that has ended, only what was read can still be delivered.
    List<StagedRange> staged = lane.deliverer().notDurable();
    if (!staged.isEmpty()) { // At the end of most drains it is, which then hashes no streams.
      left.addAll(ended(staged, new HashSet<>(present)));
    }
    return left;
  }

  private static List<LeftBehind> ended(List<StagedRange> staged, Set<StreamProgress> present) {
    List<LeftBehind> left = new ArrayList<>();
    for (StagedRange range : staged) {
      StreamProgress stream = range.stream();
      if (!present.contains(stream)) {
        left.add(new LeftBehind(stream.path(), stream.id(), List.of(range.range()), false));
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
