package dev.tailwater.delivery.due;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The waiting tails by {@linkplain Claimant whose} they are. Those who have tails that are due take
 * turns, and of each the tail that was due first comes first. So where more is due than can be
 * delivered, who has one file waits for one turn of each other, however many files these have. Not
 * thread-safe: the {@link DueQueue} guards it.
 */
final class DueTurns {
  private static final Comparator<Line> BY_FIRST_DUE =
      (a, b) -> WaitingTails.BY_DUE.compare(a.byDue.first(), b.byDue.first());

  private final Map<Claimant, Line> lines = new HashMap<>();

  /** Those none of whose tails was due when it was looked last. */
  private final TreeSet<Line> early = new TreeSet<>(BY_FIRST_DUE);

  /** The others; the one whose turn is next comes first. */
  private final LinkedHashSet<Line> late = new LinkedHashSet<>();

  /** The tails of one claimant. */
  private static final class Line {
    final TreeSet<WaitingTails.Entry> byDue = new TreeSet<>(WaitingTails.BY_DUE);
    boolean isLate;
  }

  void add(WaitingTails.Entry entry) {
    Line line = lines.computeIfAbsent(entry.claimant(), _ -> new Line());
    if (!line.isLate && !line.byDue.isEmpty()) {
      early.remove(line);
    }
    line.byDue.add(entry);
    if (!line.isLate) {
      early.add(line);
    }
  }

  void remove(WaitingTails.Entry entry) {
    Line line = lines.get(entry.claimant());
    if (line == null || !line.byDue.contains(entry)) {
      return;
    }
    if (!line.isLate) {
      early.remove(line);
    }
    line.byDue.remove(entry);
    if (line.byDue.isEmpty()) {
      late.remove(line);
      lines.remove(entry.claimant());
    } else if (!line.isLate) {
      early.add(line);
    }
  }

  /** Returns the tail whose turn it is; if none is due, the one that is due first. */
  Optional<WaitingTails.Entry> next(long now) {
    while (!early.isEmpty() && isDue(early.first(), now)) {
      Line line = early.removeFirst();
      line.isLate = true;
      late.add(line);
    }
    while (!late.isEmpty()) {
      Line line = late.getFirst();
      if (isDue(line, now)) {
        return Optional.of(line.byDue.first());
      }
      late.removeFirst();
      line.isLate = false;
      early.add(line);
    }
    return early.isEmpty() ? Optional.empty() : Optional.of(early.first().byDue.first());
  }

  private static boolean isDue(Line line, long now) {
    return line.byDue.first().dueNanos() - now <= 0;
  }

  /** Ends the turn of a claimant: all others with tails that are due come first now. */
  void endTurn(Claimant claimant) {
    Line line = lines.get(claimant);
    if (line != null && line.isLate) {
      late.addLast(line);
    }
  }
}
