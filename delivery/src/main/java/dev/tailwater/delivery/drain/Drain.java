package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.tempo.Tempo.Mode;
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

  /** How often everything is looked at again, to find what the watch has missed. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** When all files are compared once more, so that a look or two are made after that. */
  private static final Duration LATE = Duration.ofSeconds(3);

  private static final String LISTENING = "telling of the drain";

  private final DrainContext context;
  private final DrainOrder order;
  private final DrainDeadline deadline;
  private final List<LaneDrain> lanes;
  private final DrainPace pace;
  private final DrainLooks looks;
  private final RoomWait room;
  private volatile boolean endsWhenSafe;
  private boolean wasSafe;

  /**
   * Creates a drain, whose time runs from now on.
   *
   * @param time how long it may take; empty: as long as it makes progress
   */
  public Drain(DrainContext context, DrainOrder order, Optional<Duration> time) {
    this.context = context;
    this.order = order;
    this.deadline = new DrainDeadline(context.clocks().nanoClock(), time);
    this.endsWhenSafe = order.end() != DrainOrder.End.AT_DEADLINE;
    this.lanes =
        context.lanes().stream()
            .map(lane -> new LaneDrain(lane, context.clocks().nanoClock()))
            .toList();
    this.pace = new DrainPace(context);
    this.looks =
        new DrainLooks(context, pace, deadline.isPresent(), () -> isOver() || isCancelled());
    this.room = new RoomWait(context);
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
    // A drain without a deadline may take its time, and keeps to what is configured, bandwidth too.
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
      if (!context.watch().isNothingWaiting()) {
        looks.noteBlind();
      }
      if (looks.isBlind()) {
        looks.reportBlind(inTime);
      }
      over = order.end() != DrainOrder.End.GOES_ON;
      if (over) {
        boolean hasLookedLast =
            new LastGasp(context, lanes, deadline, this::tell).end(order, !looks.isBlind());
        if (!hasLookedLast && !looks.isBlind()) {
          looks.noteBlind();
          looks.reportBlind(inTime && !context.watch().isNothingWaiting());
        }
      }
      if ((over || !inTime) && !looks.isBlind() && isInDoubt()) {
        looks.reportDoubt();
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
        try {
          faster.close();
        } finally {
          tell(DrainPhase.STEADY, Optional.empty());
        }
      }
    }
  }

  private void tell(DrainPhase phase) {
    tell(phase, deadline.left());
  }

  private void tell(DrainPhase phase, Optional<Duration> left) {
    tell("this phase of the drain", () -> order.listener().entered(phase, left));
  }

  /** Tells whoever listens; one that fails does not stop the drain. */
  private void tell(String of, Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | Error e) {
      context
          .problems()
          .reportHarmless(
              LISTENING,
              "the actions for " + of + " failed: " + e,
              Optional.of("the drain goes on; a hook may not have been run"),
              true);
    }
  }

  /** Delivers in a hurry; false when the deadline or a cancellation has ended that. */
  private boolean hurry() throws InterruptedException {
    pace.retryNow();
    lanes.forEach(LaneDrain::compareWhatMayBeWrittenUnseen);
    boolean wasEnding = endsWhenSafe;
    int count = 0;
    while (true) {
      // Read before the look: only a look that begins after the signal may end the drain.
      boolean ending = endsWhenSafe;
      if (ending && !wasEnding) {
        wasEnding = true;
        lanes.forEach(LaneDrain::compareWhatMayBeWrittenUnseen);
      }
      DrainLooks.Look look = looks.look(ending);
      if (look == DrainLooks.Look.OVER) {
        return false;
      }
      boolean nothingLeft =
          look == DrainLooks.Look.SEEN && lanes.stream().allMatch(LaneDrain::isNothingLeft);
      if (nothingLeft) {
        if (!lacksComparisons()) { // Nothing is waited for of files that cannot be compared.
          noteSafety();
        }
      } else if (!deliverWhatWasSeen(look == DrainLooks.Look.SEEN, ending)) {
        if (isOver() || isCancelled()) {
          return false;
        }
        // What has failed is not waited for, but files for which others make room are.
        if (look == DrainLooks.Look.FAILED || !room.isWorthWaiting()) {
          return true;
        }
      }
      if (ending) {
        if (look != DrainLooks.Look.FAILED && room.isWorthWaiting()) {
          // Others make room, without a look at everything for each of them.
          while (room.isWorthWaiting() && !isOver() && !isCancelled()) {
            pace.pause();
          }
          continue;
        }
        if (look == DrainLooks.Look.HELD && isDelivering()) {
          // Files that were found since are being read, which takes long on a slow disk.
          pace.pause();
          continue;
        }
        count++;
        // When the machine goes away, growing files are delivered until the deadline.
        boolean enough = count >= MAX_LOOKS && order.end() != DrainOrder.End.AT_DEADLINE;
        if (nothingLeft || enough || look == DrainLooks.Look.FAILED) {
          return !deadline.isNear();
        }
      } else if (!rest()) {
        return false;
      }
    }
  }

  private boolean isDelivering() {
    return lanes.stream().anyMatch(lane -> lane.lane().required() && !lane.lane().isIdle());
  }

  private void noteSafety() {
    if (mayBecomeSafe() && lanes.stream().noneMatch(LaneDrain::hasUnnotedChanges)) {
      wasSafe = true;
      tell("the moment when nothing is at risk", order.safe());
    }
  }

  /** Returns whether safety is yet to be noted, and no problem keeps it from that. */
  private boolean mayBecomeSafe() {
    // Nobody knows how much of a file that cannot be opened is at risk.
    return !wasSafe
        && context.watch().isNothingWaiting()
        && !DrainReports.hasProblems(lanes, context.problems());
  }

  private boolean isInDoubt() {
    return lanes.stream().anyMatch(lane -> lane.lane().required() && lane.isInDoubt());
  }

  private boolean lacksComparisons() {
    return lanes.stream().anyMatch(lane -> lane.lane().required() && lane.lacksComparisons());
  }

  private boolean isOver() {
    return deadline.isNear();
  }

  private boolean isCancelled() {
    return order.cancelled().getAsBoolean();
  }

  /** Lets the stages deliver what the watch notices; false when the drain's time is over. */
  private boolean rest() throws InterruptedException {
    long startNanos = context.clocks().nanos();
    while (!endsWhenSafe && context.clocks().nanos() - startNanos < REST_NANOS) {
      if (isOver() || isCancelled()) {
        return false;
      }
      pace.pause();
    }
    return true;
  }

  /** Waits until all that was seen is durable; false when that is given up. */
  private boolean deliverWhatWasSeen(boolean isAllSeen, boolean ending)
      throws InterruptedException {
    // Files that grow all the time are not read as a whole again and again until a late deadline.
    boolean comparesAgain = ending || deadline.isNearWithin(LATE);
    lanes.forEach(lane -> lane.aimAtWhatWasSeen(isAllSeen, comparesAgain));
    while (true) {
      boolean waiting = false;
      boolean givenUp = false;
      for (LaneDrain lane : lanes) {
        LaneDrain.State state = lane.state();
        if (state != LaneDrain.State.BUSY || lane.isAimReached()) {
          lane.requestComparisons(); // Only what is durable can be compared.
        }
        switch (state) {
          case REACHED, STALLED -> {}
          case BUSY -> waiting = true;
          case IDLE -> {
            // Without a deadline, what has been given up is not waited for.
            givenUp |= !deadline.isPresent() && lane.lane().required();
            waiting |= deadline.isPresent();
          }
        }
      }
      boolean wasReached = isAimReached();
      // Later: what has become durable by now is to be compared.
      boolean comparing = lanes.stream().anyMatch(LaneDrain::isComparingAim);
      waiting |= comparing;
      // Once more: what a comparison has found is aimed at, too.
      boolean aimReached = wasReached && isAimCompared() && isAimReached();
      // Asks every file, so only where the answer counts.
      boolean settling =
          comparing
              || ((!waiting || (aimReached && mayBecomeSafe()))
                  && lanes.stream().anyMatch(LaneDrain::isChangeSettling));
      waiting |= settling;
      if (!settling && aimReached) {
        noteSafety();
      }
      if (!waiting) {
        return !givenUp;
      }
      if (isClosed() || isOver() || isCancelled()) {
        return false;
      }
      pace.pause();
    }
  }

  private boolean isAimReached() {
    return lanes.stream().allMatch(lane -> !lane.lane().required() || lane.isAimReached());
  }

  private boolean isAimCompared() {
    return lanes.stream().allMatch(lane -> !lane.lane().required() || lane.isAimCompared());
  }

  /** Returns whether reading has ended forever for a required destination. */
  private boolean isClosed() {
    return context.lanes().stream().anyMatch(lane -> lane.required() && lane.queue().isClosed());
  }
}
