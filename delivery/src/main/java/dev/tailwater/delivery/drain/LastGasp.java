package dev.tailwater.delivery.drain;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.delivery.watch.Losses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The end of an agent that will not go on: reading stops, what is under way may still arrive, and
 * what is left is recorded at the destinations. Used once.
 */
final class LastGasp {
  private static final String UNSEEN =
      "not every file could be looked at when the agent ended; what was written to them last is not"
          + " known";

  /** Looking at an open file takes microseconds; a look that takes longer hangs. */
  private static final Duration LOOK = Duration.ofSeconds(3);

  /** How long what is under way may take to arrive if nothing else limits that. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration LEAST_LOOK = Duration.ofMillis(100);

  private static final long LEAST_WRITING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final DrainContext context;
  private final List<LaneDrain> lanes;
  private final DrainDeadline deadline;
  private final Consumer<DrainPhase> listener;

  /** The record that is put last; read by threads that put. */
  private volatile Optional<LeftBehindRecord> latest = Optional.empty();

  LastGasp(
      DrainContext context,
      List<LaneDrain> lanes,
      DrainDeadline deadline,
      Consumer<DrainPhase> listener) {
    this.context = context;
    this.lanes = lanes;
    this.deadline = deadline;
    this.listener = listener;
  }

  /**
   * Ends the drain. A record at each destination says what that lacks, even if it lacks nothing:
   * otherwise nobody could tell an agent that has delivered everything from one that was killed.
   *
   * <p>The record is written early enough, and once more when something may have arrived after it:
   * what has arrived is not left behind, and the record is the last object of an agent that ends.
   *
   * @param hasSeen whether every file was looked at, so that streams can be called complete
   * @return whether the record says what is left of every file: each that is open could be looked
   *     at when reading was to stop, and none that has changed waits for room in memory
   */
  boolean end(DrainOrder order, boolean hasSeen) throws InterruptedException {
    boolean machineGoes = order.end() == DrainOrder.End.AT_DEADLINE;
    Duration leastTime = machineGoes ? LeftBehindRecord.LONGEST_PUT : LeftBehindRecord.SHORTEST_PUT;
    lanes.forEach(LaneDrain::noteSizes);
    if (!machineGoes && isNothingLeft()) {
      // Programs may still be writing: what they have written by now is left behind.
      boolean hasLooked = lookAtWhatIsOpen();
      if (isNothingLeft()) {
        stopReading();
        awaitWhatIsUnderWay(awaited(), patienceNanos());
        return put(hasSeen && hasLooked, leastTime);
      }
    }
    listener.accept(DrainPhase.LAST_GASP);
    stopReading();
    List<DrainLane> awaited = awaited();
    awaitWhatIsUnderWay(awaited, patienceNanos());
    boolean isSettled = isIdle(awaited);
    boolean hasLooked = lookAtWhatIsOpen();
    long startNanos = context.clocks().nanos();
    boolean hasToldAll = put(hasSeen && hasLooked, leastTime);
    if (!isSettled && deadline.left().isPresent()) {
      long tookNanos = context.clocks().nanos() - startNanos;
      long writingNanos = Math.max(2 * tookNanos, LEAST_WRITING_NANOS);
      awaitWhatIsUnderWay(awaited, nanosLeft() - writingNanos);
      awaited.forEach(lane -> lane.deliverer().abandon()); // Nothing begins after the record.
      hasToldAll = put(hasSeen && hasLooked, leastTime);
    }
    return hasToldAll;
  }

  /** Nothing begins after that: the record is the last object, whatever is written to files. */
  private void stopReading() {
    context.lanes().forEach(lane -> lane.queue().close());
  }

  private List<DrainLane> awaited() {
    return lanes.stream()
        .filter(lane -> lane.state() != LaneDrain.State.STALLED)
        .map(LaneDrain::lane)
        .toList();
  }

  private long patienceNanos() {
    return deadline.left().isPresent() ? nanosLeft() * 2 / 3 : PATIENCE.toNanos();
  }

  /**
   * Puts the record, and once more if a file has grown since of which it says that nothing is
   * missing, or waits to be looked at, or if a loss or a problem became known: what reads it later
   * must not believe more than the report of the drain says.
   *
   * @param hasSeenEveryFile whether every file was looked at, and those that are open once more
   * @return whether the record says what is left of every file
   */
  private boolean put(boolean hasSeenEveryFile, Duration leastTime) throws InterruptedException {
    boolean hasSeen = hasSeenEveryFile && context.watch().isNothingWaiting();
    Losses.Report losses = context.watch().losses().report();
    Set<String> problems = problems();
    LeftBehindRecord record = putRecord(hasSeen, leastTime);
    if (!record.incomplete().containsAll(incomplete())
        || !losses.equals(context.watch().losses().report())
        || !problems.containsAll(problems())
        || (hasSeen && !context.watch().isNothingWaiting())) {
      hasSeen &= context.watch().isNothingWaiting();
      var _ = putRecord(hasSeen, leastTime);
    }
    return hasSeen;
  }

  private LeftBehindRecord putRecord(boolean hasSeen, Duration leastTime)
      throws InterruptedException {
    LeftBehindRecord record = record(hasSeen);
    latest = Optional.of(record);
    record.put(context, () -> latest.orElse(record), deadline.left(), leastTime);
    return record;
  }

  private Set<StreamId> incomplete() {
    return lanes.stream()
        .flatMap(lane -> lane.leftBehind().stream())
        .map(LeftBehind::stream)
        .collect(Collectors.toSet());
  }

  private Set<String> problems() {
    return context.lanes().stream()
        .flatMap(lane -> DrainReports.problemsOf(lane, context.problems()).stream())
        .collect(Collectors.toSet());
  }

  private boolean isNothingLeft() {
    return lanes.stream().allMatch(lane -> lane.leftBehind().isEmpty());
  }

  /** Looks at every open file; false when that hangs, as a file server may, or has failed. */
  private boolean lookAtWhatIsOpen() throws InterruptedException {
    try {
      context.watch().lookAtOpenFiles().get(lookTime().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      return false;
    }
  }

  /** Returns how long the watch may take to look at what is open. */
  private Duration lookTime() {
    Duration time = deadline.left().map(left -> left.dividedBy(2)).orElse(LOOK);
    Duration patience = time.compareTo(LOOK) < 0 ? time : LOOK;
    return patience.compareTo(LEAST_LOOK) < 0 ? LEAST_LOOK : patience;
  }

  private LeftBehindRecord record(boolean hasSeen) throws InterruptedException {
    // First: what is called complete was so then, and the looks for it may take long.
    long atMillis = context.clocks().millis();
    List<CompleteStreams> complete = hasSeen ? complete() : List.of();
    List<LeftBehindRecord.Drained> drained = new ArrayList<>();
    for (LaneDrain lane : lanes) {
      List<String> because =
          new ArrayList<>(DrainReports.problemsOf(lane.lane(), context.problems()));
      if (!hasSeen && because.stream().noneMatch(DrainLooks::saysThatFilesAreUnseen)) {
        because.add(UNSEEN);
      }
      CompleteStreams ofLane = hasSeen ? complete.get(drained.size()) : CompleteStreams.NONE;
      drained.add(new LeftBehindRecord.Drained(lane.report(lane.leftBehind()), ofLane, because));
    }
    return new LeftBehindRecord(
        context.agent(),
        atMillis,
        context.watch().lastArrivalMillis(),
        deadline.elapsed(),
        drained,
        context.watch().losses().report());
  }

  /** Returns what is complete in each lane, also of files that are not in memory. */
  private List<CompleteStreams> complete() throws InterruptedException {
    List<List<StreamId>> inMemory = lanes.stream().map(LaneDrain::complete).toList();
    List<CompleteStreams.Collector> all =
        inMemory.stream().map(CompleteStreams.Collector::new).toList();
    Deadline end = Deadline.after(deadline.left().isEmpty() ? PATIENCE : lookTime());
    try {
      boolean isAll =
          context
              .watch()
              .forEachQuietStream(
                  (stream, lane) -> all.get(lane).addQuiet(stream), () -> !end.isPast())
              .get(end.left().plus(LEAST_LOOK).toMillis(), TimeUnit.MILLISECONDS);
      return all.stream().map(ofLane -> ofLane.toStreams(isAll)).toList();
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      return inMemory.stream().map(CompleteStreams::some).toList(); // The watch may go on adding.
    }
  }

  private static boolean isIdle(List<DrainLane> awaited) throws InterruptedException {
    for (DrainLane lane : awaited) {
      if (!lane.queue().awaitReleases(Deadline.after(Duration.ZERO))
          || lane.deliverer().underWay() > 0) {
        return false;
      }
    }
    return true;
  }

  private void awaitWhatIsUnderWay(List<DrainLane> awaited, long nanos)
      throws InterruptedException {
    // By the system's clock, since what is under way takes real time.
    Deadline end = Deadline.after(Duration.ofNanos(nanos));
    // A worker may be sealing a segment, which it will hand over to any of the destinations.
    for (DrainLane lane : awaited) {
      lane.queue().awaitReleases(end);
    }
    for (DrainLane lane : awaited) {
      lane.deliverer().awaitIdle(end);
    }
  }

  private long nanosLeft() {
    return deadline.left().orElse(Duration.ZERO).toNanos();
  }
}
