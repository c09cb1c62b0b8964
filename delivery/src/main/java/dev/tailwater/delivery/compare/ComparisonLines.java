package dev.tailwater.delivery.compare;

import dev.tailwater.delivery.tail.Tail;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which tails wait to be compared, and for what: one line for each reason, and those set aside that
 * cannot be compared now. A tail is in one of these places at most, for its most important reason.
 * Finding the next one takes no longer when more wait. Not thread-safe: the queue's lock guards it.
 */
final class ComparisonLines {
  /** When a file that was written to without growing is looked at again. */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final LongSupplier nanoClock;
  private final Map<Tail, Entry> waiting = new HashMap<>();
  private final Map<ComparisonReason, Line> lines = new EnumMap<>(ComparisonReason.class);
  private final Map<Tail, ComparisonReason> aside = new LinkedHashMap<>();

  /** Why tails are still to be looked at where what is more important turns out to be done. */
  private final Map<Tail, ComparisonReason> later = new HashMap<>();

  record Entry(ComparisonReason reason, long sinceNanos) {}

  /**
   * When to look whether a tail is due; it counts while the entry is the tail's.
   *
   * @param isFirst whether nobody has looked yet
   */
  record Look(Tail tail, Entry entry, long atNanos, boolean isFirst) {}

  /** The tails that wait for one reason. */
  private static final class Line {
    final LinkedHashSet<Tail> tails = new LinkedHashSet<>();
    final PriorityQueue<Look> looks =
        new PriorityQueue<>((one, other) -> Long.signum(one.atNanos - other.atNanos));
  }

  ComparisonLines(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    for (ComparisonReason reason : ComparisonReason.values()) {
      lines.put(reason, new Line());
    }
  }

  private Line line(ComparisonReason reason) {
    return Objects.requireNonNull(lines.get(reason));
  }

  /**
   * Adds a tail, unless it has ended or waits for a reason that is as important.
   *
   * @return whether it was added
   */
  boolean put(Tail tail, ComparisonReason reason) {
    Entry before = waiting.get(tail);
    if (tail.isEnded() || (before != null && before.reason == reason)) {
      return false;
    }
    if (before != null && before.reason.compareTo(reason) < 0) {
      keepForLater(tail, reason);
      return false;
    }
    if (before != null) {
      keepForLater(tail, before.reason);
    }
    remove(tail);
    long now = nanoClock.getAsLong();
    Entry entry = new Entry(reason, now);
    waiting.put(tail, entry);
    line(reason).tails.add(tail);
    long firstAtNanos = reason == ComparisonReason.CHANGED ? now + LOOK_AGAIN_NANOS : now;
    line(reason).looks.add(new Look(tail, entry, firstAtNanos, true));
    return true;
  }

  private void keepForLater(Tail tail, ComparisonReason lessImportant) {
    if (!lessImportant.isForBytes()) {
      later.merge(tail, lessImportant, (one, other) -> one.compareTo(other) < 0 ? one : other);
    }
  }

  /** Removes a tail; why else it is to be looked at is still kept for later. */
  void remove(Tail tail) {
    aside.remove(tail);
    removeFromLine(tail);
  }

  private void removeFromLine(Tail tail) {
    Entry before = waiting.remove(tail);
    if (before != null) {
      line(before.reason).tails.remove(tail);
    }
  }

  /** Removes a tail, and forgets why else it is to be looked at. */
  void forget(Tail tail) {
    remove(tail);
    later.remove(tail);
  }

  /** Removes a tail that is compared by now; it waits for what is less important then. */
  void removeCompared(Tail tail) {
    remove(tail);
    ComparisonReason next = later.remove(tail);
    if (next != null) {
      var _ = put(tail, next);
    }
  }

  /** Takes a tail out of its line, since it cannot be compared now. */
  void setAside(Tail tail, ComparisonReason reason) {
    removeFromLine(tail);
    aside.put(tail, reason);
  }

  /** Removes and returns the tails that are set aside, in the order in which they were. */
  Map<Tail, ComparisonReason> takeAside() {
    Map<Tail, ComparisonReason> all = new LinkedHashMap<>(aside);
    aside.clear();
    return all;
  }

  boolean hasAside() {
    return !aside.isEmpty();
  }

  boolean hasAside(ComparisonReason reason) {
    return aside.containsValue(reason);
  }

  boolean isAside(Tail tail) {
    return aside.containsKey(tail);
  }

  /** Returns whether no tail waits, nor is set aside. */
  boolean isEmpty() {
    return waiting.isEmpty() && aside.isEmpty();
  }

  /** Returns why a tail waits; empty when it is in no line. */
  Optional<ComparisonReason> reason(Tail tail) {
    return Optional.ofNullable(waiting.get(tail)).map(Entry::reason);
  }

  /** Returns whether a tail waits for this reason, or will when what is more important is done. */
  boolean waitsFor(Tail tail, ComparisonReason reason) {
    Entry entry = waiting.get(tail);
    return (entry != null && entry.reason == reason) || later.get(tail) == reason;
  }

  /** Returns the tail that has waited longest for this reason. */
  Optional<Tail> first(ComparisonReason reason) {
    LinkedHashSet<Tail> tails = line(reason).tails;
    return tails.isEmpty() ? Optional.empty() : Optional.of(tails.getFirst());
  }

  /** Forgets when to look at tails that have waited for this reason, as none does any more. */
  void clearLooks(ComparisonReason reason) {
    line(reason).looks.clear();
  }

  /** Removes and returns the next look at a tail that waits for this reason, if it is time. */
  @SuppressWarnings("ReferenceEquality") // an entry that was made anew has a look of its own
  Optional<Look> takeLook(ComparisonReason reason, long nowNanos) {
    PriorityQueue<Look> looks = line(reason).looks;
    for (Look look = looks.peek();
        look != null && look.atNanos - nowNanos <= 0;
        look = looks.peek()) {
      looks.remove();
      if (waiting.get(look.tail) == look.entry) {
        return Optional.of(look);
      }
    }
    return Optional.empty();
  }

  /** Has a tail looked at once more, if it still waits then. */
  void lookAgain(Look before, long atNanos) {
    line(before.entry.reason).looks.add(new Look(before.tail, before.entry, atNanos, false));
  }

  /** Returns when the next look at a tail is due that waits for this reason; empty for none. */
  OptionalLong nextLookNanos(ComparisonReason reason) {
    Look next = line(reason).looks.peek();
    return next == null ? OptionalLong.empty() : OptionalLong.of(next.atNanos);
  }
}
