package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.tempo.Tempo.Mode;
import dev.tailwater.delivery.watch.DescriptorShortage;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Brings the bytes at risk to zero, if possible before a deadline. The agent hurries: every file is
 * looked at, read to its end and delivered, including what is written meanwhile. When the deadline
 * is near, the last gasp begins: reading stops, and what is left is recorded to the byte.
 *
 * <p>A drain ends when everything is durable at every required destination, and at each best-effort
 * one that has delivered something within the last seconds; or, when the machine goes away, at the
 * deadline.
 */
public final class Drain {
  /** After this many looks files still grow, and only the programs that write them can end that. */
  private static final int MAX_LOOKS = 3;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a pause is in terms of the work before it, which grows with the number of files. */
  private static final int PAUSE_TO_WORK = 10;

  /** How often everything is looked at again, to find what the watch has missed. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often calls that wait after a failure are tried again at once. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long files that cannot be opened are waited for when nothing else is delivered. */
  private static final long AWAIT_DESCRIPTOR_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A look that takes longer hangs, and the look before it is too old to rely on. */
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
  private long pausedNanos;
  private boolean wasSafe;
  private boolean hasLooked;
  private boolean isBlind;
  private long segmentsBefore;
  private long progressNanos;

  /**
   * Creates a drain, whose time runs from now on.
   *
   * @param time how long it may take; empty: as long as it makes progress
   */
  public Drain(DrainContext context, DrainOrder order, Optional<Duration> time) {
    this.context = context;
    this.order = order;
    this.deadline = new DrainDeadline(context.clocks().nanoClock(), time);
    this.pausedNanos = context.clocks().nanos();
    this.progressNanos = pausedNanos;
    this.endsWhenSafe = order.end() != DrainOrder.End.AT_DEADLINE;
    this.lanes =
        context.lanes().stream()
            .map(lane -> new LaneDrain(lane, context.clocks().nanoClock()))
            .toList();
  }

  /**
   * Makes the drain end as soon as nothing is at risk, and after the given time at the latest. May
   * be called from any thread.
   */
  public void endWhenSafe(Optional<Duration> time) {
    time.ifPresent(deadline::bringForward);
    endsWhenSafe = true;
  }

  /** Drains; called once. Empty when it was cancelled, and the agent goes on steadily. */
  public Optional<DrainReport> run() throws InterruptedException {
    boolean over = false;
    // A drain without a deadline may take its time, and keeps to what is configured.
    Tempo.Lease faster =
        context
            .tempo()
            .lease(deadline.isPresent() ? EnumSet.allOf(Mode.class) : EnumSet.of(Mode.HURRY));
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
      if (!over) { // Otherwise the agent ends, and never slows down again.
        faster.close();
        order.listener().entered(DrainPhase.STEADY, Optional.empty());
      }
    }
  }

  /** Tells the listener of the phase; a listener that fails does not stop the drain. */
  private void tell(DrainPhase phase) {
    try {
      order.listener().entered(phase, deadline.left());
    } catch (RuntimeException | Error e) {
      context
          .problems()
          .reportHarmless(
              LISTENING,
              "the actions for this phase of the drain failed: " + e,
              Optional.of("the drain goes on; a hook may not have been run"),
              true);
    }
  }

  /** Delivers in a hurry; false when the deadline or a cancellation has ended that. */
  private boolean hurry() throws InterruptedException {
    retryNow();
    int looks = 0;
    while (true) {
      // Read before the look: only a look that begins after the signal may end the drain.
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
        if (look == Look.SEEN && isWorthWaitingForDescriptors()) {
          pause(); // So that others are closed before the next look.
          continue;
        }
        looks++;
        // When the machine goes away, growing files are delivered until the deadline.
        boolean enough = looks >= MAX_LOOKS && order.end() != DrainOrder.End.AT_DEADLINE;
        if (nothingLeft || enough || look == Look.FAILED) {
          return !deadline.isNear();
        }
      } else if (!rest()) {
        return false;
      }
    }
  }

  /**
   * Returns whether files wait for a descriptor, and others were delivered lately, which then need
   * theirs no longer.
   */
  private boolean isWorthWaitingForDescriptors() {
    long segments = context.lanes().stream().mapToLong(lane -> lane.counters().segments()).sum();
    long now = context.clocks().nanos();
    if (segments > segmentsBefore) {
      segmentsBefore = segments;
      progressNanos = now;
    }
    return now - progressNanos < AWAIT_DESCRIPTOR_NANOS
        && context.problems().open().stream()
            .anyMatch(problem -> problem.subject().equals(DescriptorShortage.SUBJECT));
  }

  private void noteSafety() {
    // Nobody knows how much of a file that cannot be opened is at risk.
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

  /** The outcome of looking at every source and file. */
  private enum Look {
    SEEN,
    /** The deadline was near, or the drain was cancelled. */
    OVER,
    /** The watch has failed repeatedly, and has reported why. */
    FAILED
  }

  private Look look() throws InterruptedException {
    long startNanos = context.clocks().nanos();
    var looked = context.watch().lookAtEverything();
    while (!looked.isDone()) {
      if (isOver() || isCancelled()) {
        long lookedForNanos = context.clocks().nanos() - startNanos;
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
    context.problems().resolved(SUBJECT); // That of an earlier drain.
    return Look.SEEN;
  }

  /** Lets the stages deliver what the watch notices; false when the drain's time is over. */
  private boolean rest() throws InterruptedException {
    long startNanos = context.clocks().nanos();
    while (!endsWhenSafe && context.clocks().nanos() - startNanos < REST_NANOS) {
      if (isOver() || isCancelled()) {
        return false;
      }
      pause();
    }
    return true;
  }

  private void retryNow() {
    retriedNanos = context.clocks().nanos();
    context.lanes().forEach(lane -> lane.deliverer().retryNow());
  }

  private void pause() throws InterruptedException {
    if (context.clocks().nanos() - retriedNanos >= RETRY_NANOS) {
      retryNow();
    }
    lanes.forEach(lane -> lane.lane().speedTuner().ifPresent(SpeedTuner::tune));
    long workedNanos = context.clocks().nanos() - pausedNanos;
    long pauseNanos = Math.clamp(PAUSE_TO_WORK * workedNanos, PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    Thread.sleep(Duration.ofNanos(pauseNanos));
    pausedNanos = context.clocks().nanos();
  }

  /** Waits until all that was seen is durable; false when that is given up. */
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
            // Without a deadline, what has been given up is not waited for.
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

  /** Returns whether reading has ended forever for a required destination. */
  private boolean isClosed() {
    return context.lanes().stream().anyMatch(lane -> lane.required() && lane.queue().isClosed());
  }
}
