package dev.tailwater.delivery.drain;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The looks of a drain at every source and file, and whether the drain knows what was written last.
 * Used by one thread.
 */
final class DrainLooks {
  /** A look that takes longer hangs, and the look before it is too old to rely on. */
  private static final long BLIND_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final String SUBJECT = "drain";
  private static final String NOT_SEEN =
      "not every file could be looked at before the deadline; what was written to them last is not"
          + " known";
  private static final String NOT_SEEN_HINT =
      "A source on a file system that hangs, or very many files: the next start delivers the rest;"
          + " a longer --drain-deadline helps";

  private static final String NO_ROOM =
      "not every file could be looked at; what was written to the others is not known";
  private static final String NO_ROOM_HINT =
      "Files that cannot be read, and deleted ones for deleted_grace, keep descriptors or memory that"
          + " others wait for; what is wrong with them is said, too. The agent delivers the rest"
          + " later, or its next start does";

  private static final String NOT_COMPARED =
      "some files may have been truncated or written anew, and there was no time to see; what they"
          + " hold now may not be delivered";
  private static final String NOT_COMPARED_HINT =
      "The next start compares them and delivers what is new; a longer --drain-deadline helps";

  private final DrainContext context;
  private final DrainPace pace;
  private final boolean hasDeadline;
  private final BooleanSupplier over;

  /** A look that is not over, and whether it may be the last one. */
  private Optional<Pending> pending = Optional.empty();

  private boolean hasLooked;
  private boolean isBlind;

  private record Pending(CompletableFuture<Void> looked, boolean isLast) {}

  /** The outcome of a look. */
  enum Look {
    SEEN,
    /** Files that were found must be delivered first, so that there is room for others. */
    HELD,
    /** The drain's time was over before the look was. */
    OVER,
    /** The watch has failed repeatedly, and has reported why. */
    FAILED
  }

  /**
   * Creates the looks of one drain.
   *
   * @param hasDeadline whether more time would have helped
   * @param over returns whether the deadline is near, or the drain was cancelled
   */
  DrainLooks(DrainContext context, DrainPace pace, boolean hasDeadline, BooleanSupplier over) {
    this.context = context;
    this.pace = pace;
    this.hasDeadline = hasDeadline;
    this.over = over;
  }

  /**
   * Looks at every source and file.
   *
   * @param isLast whether no other look need follow; it must begin after this is known
   */
  Look look(boolean isLast) throws InterruptedException {
    long startNanos = context.clocks().nanos();
    CompletableFuture<Void> looked =
        pending
            .filter(before -> before.isLast() == isLast)
            .map(Pending::looked)
            .orElseGet(() -> context.watch().lookAtEverything());
    pending = Optional.empty();
    while (!looked.isDone()) {
      if (context.watch().isHeld()) {
        pending = Optional.of(new Pending(looked, isLast));
        isBlind = true;
        return over.getAsBoolean() ? Look.OVER : Look.HELD;
      }
      if (over.getAsBoolean()) {
        long lookedForNanos = context.clocks().nanos() - startNanos;
        isBlind |= !hasLooked || lookedForNanos > BLIND_AFTER_NANOS;
        return Look.OVER;
      }
      pace.pause();
    }
    isBlind = looked.isCompletedExceptionally();
    if (isBlind) {
      return Look.FAILED;
    }
    hasLooked = true;
    context.problems().resolved(SUBJECT); // That of an earlier drain.
    return Look.SEEN;
  }

  /** Returns whether it is not known what was written to the files last. */
  boolean isBlind() {
    return isBlind;
  }

  /** Notes that the last look at the open files was not possible. */
  void noteBlind() {
    isBlind = true;
  }

  /** Returns whether a problem is that not every file could be looked at. */
  static boolean saysThatFilesAreUnseen(String message) {
    return message.equals(NOT_SEEN) || message.equals(NO_ROOM);
  }

  /**
   * Reports that not every file could be looked at.
   *
   * @param inTime whether the deadline was not what has ended the drain
   */
  void reportBlind(boolean inTime) {
    boolean lacksTime = hasDeadline && !inTime;
    context
        .problems()
        .report(
            SUBJECT,
            lacksTime ? NOT_SEEN : NO_ROOM,
            Optional.of(lacksTime ? NOT_SEEN_HINT : NO_ROOM_HINT),
            false);
  }

  /** Reports that there was no time to compare some files with what was read of them. */
  void reportDoubt() {
    context.problems().report(SUBJECT, NOT_COMPARED, Optional.of(NOT_COMPARED_HINT), false);
  }
}
