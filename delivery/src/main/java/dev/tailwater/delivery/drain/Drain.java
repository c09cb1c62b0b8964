package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.delivery.watch.WatchLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Steady, hurry, last gasp. In a hurry nothing waits to become old or large; every file is looked
 * at, read to its end and delivered, and what is written meanwhile too. When the deadline is near,
 * reading stops, and what is left is written down to the byte.
 *
 * <p>It is over when everything is durable at every required destination, and at each of the others
 * too, unless that has delivered nothing for some seconds; or, if the machine goes away, at the
 * deadline.
 */
public final class Drain {
  /** After so many looks files are still growing, and only their programs can end that. */
  private static final int MAX_LOOKS = 3;

  private static final int PAUSE_MILLIS = 5;

  /** The watch tells of what is written; another look finds what it has missed. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What a destination refused is tried again so often: it may be back. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A look that takes longer hangs, and what was seen before says too little. */
  private static final long BLIND_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final String SUBJECT = "drain";
  private static final String LISTENING = "telling of the drain";
  private static final String NOT_SEEN =
      "not every file could be looked at before the deadline; what was written to them last is not"
          + " known";
  private static final String NOT_SEEN_HINT =
      "A source on a file system that hangs, or very many files: the next start delivers the rest;"
          + " a longer --drain-deadline helps";

  private static final String NOT_COMPARED =
      "some files may have been truncated or written anew, and there was no time to see; what they"
          + " hold now may not be delivered";
  private static final String NOT_COMPARED_HINT =
      "The next start compares them and delivers what is new; a longer --drain-deadline helps";

  private final DrainContext context;
  private final DrainOrder order;
  private final DrainDeadline deadline;
  private final List<LaneDrain> lanes;
  private volatile boolean endsWhenSafe;
  private long retriedNanos;
  private boolean wasSafe;
  private boolean hasLooked;
  private boolean isBlind;
  private long segmentsBefore;

  /** The stages that a drain drives. */
  public record DrainContext(
      String agent,
      WatchLoop watch,
      List<DrainLane> lanes,
      Problems problems,
      LongSupplier nanoClock,
      LongSupplier clockMillis,
      ThreadMaker threads) {}

  /**
   * The deadline counts from here.
   *
   * @param time how long it may take; empty: as long as there is progress to be made
   */
  public Drain(DrainContext context, DrainOrder order, Optional<Duration> time) {
    this.context = context;
    this.order = order;
    this.deadline = new DrainDeadline(context.nanoClock(), time);
    this.endsWhenSafe = order.end() != DrainOrder.End.AT_DEADLINE;
    this.lanes =
        context.lanes().stream().map(lane -> new LaneDrain(lane, context.nanoClock())).toList();
  }

  /**
   * From now on it ends as soon as nothing is at risk, and after that time at the latest. May be
   * called from any thread.
   */
  public void endWhenSafe(Optional<Duration> time) {
    time.ifPresent(deadline::bringForward);
    endsWhenSafe = true;
  }

  /** Drains. To be called once. Empty when it was cancelled: the stages go on steadily then. */
  public Optional<DrainReport> run() throws InterruptedException {
    boolean over = false;
    boolean hasDeadline = deadline.isPresent();
    context.lanes().forEach(lane -> lane.hurry(true, hasDeadline));
    context.watch().hurry(true);
    try {
      tell(DrainPhase.HURRY);
      if (order.end() == DrainOrder.End.WHEN_SAFE) {
        context.watch().endNamelessAtOnce();
      }
      boolean inTime = hurry();
      if (!inTime && isCancelled()) {
        return Optional.empty();
      }
      if (isBlind) {
        context.problems().report(SUBJECT, NOT_SEEN, Optional.of(NOT_SEEN_HINT), false);
      }
      over = order.end() != DrainOrder.End.GOES_ON;
      if (over) {
        boolean hasLookedLast =
            new LastGasp(context, lanes, deadline, this::tell).end(order, !isBlind);
        if (!hasLookedLast && !isBlind) {
          isBlind = true;
          context.problems().report(SUBJECT, NOT_SEEN, Optional.of(NOT_SEEN_HINT), false);
        }
      }
      if ((over || !inTime) && !isBlind && isInDoubt()) {
        context.problems().report(SUBJECT, NOT_COMPARED, Optional.of(NOT_COMPARED_HINT), false);
      }
      return Optional.of(
          DrainReports.of(
              lanes,
              context.problems(),
              context.watch().losses().report(),
              deadline.elapsed(),
              inTime));
    } finally {
      if (!over) {
        context.lanes().forEach(lane -> lane.hurry(false, hasDeadline));
        context.watch().hurry(false);
        order.listener().entered(DrainPhase.STEADY, Optional.empty());
      }
    }
  }

  /** Whoever listens must not keep the drain from going on. */
  private void tell(DrainPhase phase) {
    try {
      order.listener().entered(phase, deadline.left());
    } catch (RuntimeException | Error e) {
      context
          .problems()
          .reportHarmless(
              LISTENING,
              "what is to be done when a drain begins failed: " + e,
              Optional.of("the drain goes on; a hook may not have been run"),
              true);
    }
  }

  /** Delivers; whether it ended by itself, and not by its deadline or by being cancelled. */
  private boolean hurry() throws InterruptedException {
    retryNow();
    int looks = 0;
    while (true) {
      // Asked before a look, so that one that began after the signal finds what was written before.
      boolean ending = endsWhenSafe;
      Look look = look();
      if (look == Look.OVER) {
        return false;
      }
      boolean nothingLeft = look == Look.SEEN && lanes.stream().allMatch(LaneDrain::isNothingLeft);
      if (nothingLeft) {
        noteSafety();
      } else if (!deliverWhatWasSeen()) {
        return !isOver() && !isCancelled();
      }
      if (ending) {
        looks += filesWaitAndOthersWereDelivered() ? 0 : 1;
        // Where the machine goes, what grows is delivered until the deadline.
        boolean enough = looks >= MAX_LOOKS && order.end() != DrainOrder.End.AT_DEADLINE;
        if (nothingLeft || enough || look == Look.FAILED) {
          return !deadline.isNear();
        }
      } else if (!rest()) {
        return false;
      }
    }
  }

  /** Where more files are at risk than may be open, each look finds those whose turn it is. */
  private boolean filesWaitAndOthersWereDelivered() {
    long segments = context.lanes().stream().mapToLong(lane -> lane.counters().segments()).sum();
    boolean progress = segments > segmentsBefore;
    segmentsBefore = segments;
    return progress
        && context.problems().open().stream()
            .anyMatch(problem -> problem.subject().equals(WatchLoop.DESCRIPTORS));
  }

  private void noteSafety() {
    // Of a file that cannot be opened nobody knows what is at risk.
    if (!wasSafe && !DrainReports.hasProblems(lanes, context.problems())) {
      wasSafe = true;
      order.safe().run();
    }
  }

  private boolean isInDoubt() {
    return lanes.stream().anyMatch(lane -> lane.lane().required() && lane.isInDoubt());
  }

  private boolean isOver() {
    return deadline.isNear();
  }

  private boolean isCancelled() {
    return order.cancelled().getAsBoolean();
  }

  /** What came of looking at every source and file. */
  private enum Look {
    SEEN,
    /** There was no time for that. */
    OVER,
    /** The watch has failed again and again, and has said why. */
    FAILED
  }

  private Look look() throws InterruptedException {
    long startNanos = context.nanoClock().getAsLong();
    var looked = context.watch().lookAtEverything();
    while (!looked.isDone()) {
      if (isOver() || isCancelled()) {
        long lookedForNanos = context.nanoClock().getAsLong() - startNanos;
        isBlind |= !hasLooked || lookedForNanos > BLIND_AFTER_NANOS;
        return Look.OVER;
      }
      pause();
    }
    isBlind = looked.isCompletedExceptionally();
    if (isBlind) {
      return Look.FAILED;
    }
    hasLooked = true;
    context.problems().resolved(SUBJECT); // Of a drain before, which the agent went on after.
    return Look.SEEN;
  }

  /** Lets the stages do what the watch tells of; false when the time for that is over. */
  private boolean rest() throws InterruptedException {
    long startNanos = context.nanoClock().getAsLong();
    while (!endsWhenSafe && context.nanoClock().getAsLong() - startNanos < REST_NANOS) {
      if (isOver() || isCancelled()) {
        return false;
      }
      pause();
    }
    return true;
  }

  private void retryNow() {
    retriedNanos = context.nanoClock().getAsLong();
    context.lanes().forEach(lane -> lane.deliverer().retryNow());
  }

  private void pause() throws InterruptedException {
    if (context.nanoClock().getAsLong() - retriedNanos >= RETRY_NANOS) {
      retryNow();
    }
    lanes.forEach(lane -> lane.lane().speedTuner().ifPresent(SpeedTuner::steer));
    Thread.sleep(PAUSE_MILLIS);
  }

  /** Waits until all that was seen is durable; false when that could not be reached. */
  private boolean deliverWhatWasSeen() throws InterruptedException {
    lanes.forEach(LaneDrain::aimAtWhatWasSeen);
    while (true) {
      boolean settling = lanes.stream().anyMatch(LaneDrain::isChangeSettling);
      boolean waiting = settling;
      boolean givenUp = false;
      for (LaneDrain lane : lanes) {
        switch (lane.state()) {
          case REACHED, STALLED -> {}
          case BUSY -> waiting = true;
          case IDLE -> {
            // Without a deadline nobody waits for what has been given up.
            givenUp |= !deadline.isPresent() && lane.lane().required();
            waiting |= deadline.isPresent();
          }
        }
      }
      if (!settling
          && lanes.stream().allMatch(lane -> !lane.lane().required() || lane.isAimReached())) {
        noteSafety();
      }
      if (!waiting) {
        return !givenUp;
      }
      if (isClosed() || isOver() || isCancelled()) {
        return false;
      }
      pause();
    }
  }

  /** Whether there is somebody whose reading has ended for ever. */
  private boolean isClosed() {
    return context.lanes().stream().anyMatch(lane -> lane.required() && lane.queue().isClosed());
  }
}
