package dev.tailwater.delivery.problem;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The problems that are open, and those that were a moment ago. A problem that comes and goes, such
 * as that of a destination that is nearly full, is not told each time. Thread-safe.
 */
final class ProblemRegistry {
  /** A problem that comes back within this time was not over for good. */
  private static final long CALM_MILLIS = 60_000;

  private static final int MOST_OVER = 1_000;

  @GuardedBy("this")
  private final Map<Key, ReportedProblem> open = new LinkedHashMap<>();

  /** The problems that are over; those that ended longest ago come first. */
  @GuardedBy("this")
  private final Map<Key, Over> over = new LinkedHashMap<>();

  /**
   * What a problem is about.
   *
   * @param destination empty: all destinations, or the only one
   */
  record Key(Optional<String> destination, String subject) {}

  private record Over(ReportedProblem problem, long atMillis) {}

  /** Notes that a problem has occurred; returns it if the listener is to be told. */
  synchronized Optional<Problem> report(Key key, Problem problem, String kind) {
    long now = problem.sinceMillis();
    ReportedProblem before = open.get(key);
    if (before != null) {
      return before.again(problem, kind, now) ? Optional.of(before.latest()) : Optional.empty();
    }
    ReportedProblem begun =
        Optional.ofNullable(over.remove(key))
            .filter(ended -> now - ended.atMillis() < CALM_MILLIS)
            .map(ended -> ended.problem().back(problem, kind))
            .orElseGet(() -> new ReportedProblem(problem, kind));
    open.put(key, begun);
    return begun.isTold() ? Optional.of(begun.latest()) : Optional.empty();
  }

  /** Notes that a problem is over; returns it if the listener is to be told. */
  synchronized Optional<Problem> resolve(Key key, long nowMillis) {
    ReportedProblem ended = open.remove(key);
    if (ended == null) {
      return Optional.empty();
    }
    over.put(key, new Over(ended, nowMillis));
    if (over.size() > MOST_OVER) {
      over.remove(over.keySet().iterator().next());
    }
    return ended.isTold() ? Optional.of(ended.latest()) : Optional.empty();
  }

  synchronized boolean isEmpty() {
    return open.isEmpty();
  }

  synchronized List<Problem> open() {
    return open.values().stream().map(ReportedProblem::latest).toList();
  }
}
