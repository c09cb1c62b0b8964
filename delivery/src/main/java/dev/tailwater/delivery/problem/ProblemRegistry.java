package dev.tailwater.delivery.problem;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The problems that are open, and those that were a moment ago: what comes and goes, as for a
 * destination that is nearly full, is not told each time. For one thread at a time.
 */
final class ProblemRegistry {
  /** What comes back within that time has not been over for good. */
  private static final long CALM_MILLIS = 60_000;

  private static final int MOST_OVER = 1_000;

  private final Map<Key, ReportedProblem> open = new LinkedHashMap<>();

  /** Those that ended longest ago first. */
  private final Map<Key, Over> over = new LinkedHashMap<>();

  /** What a problem is about; empty: of all destinations, or of the only one. */
  record Key(Optional<String> destination, String subject) {}

  private record Over(ReportedProblem problem, long atMillis) {}

  /** Notes that it has happened; whether that is to be told. */
  boolean report(Key key, Problem problem, String kind) {
    long now = problem.sinceMillis();
    ReportedProblem before = open.get(key);
    if (before != null) {
      return before.again(problem, kind, now);
    }
    ReportedProblem begun =
        Optional.ofNullable(over.remove(key))
            .filter(ended -> now - ended.atMillis() < CALM_MILLIS)
            .map(ended -> ended.problem().back(problem, kind))
            .orElseGet(() -> new ReportedProblem(problem, kind));
    open.put(key, begun);
    return begun.isTold();
  }

  Problem latest(Key key) {
    ReportedProblem problem = open.get(key);
    if (problem == null) {
      throw new IllegalArgumentException("no open problem: " + key);
    }
    return problem.latest();
  }

  /** It is over; the problem, if that is to be told. */
  Optional<Problem> resolve(Key key, long nowMillis) {
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

  List<Problem> open() {
    return open.values().stream().map(ReportedProblem::latest).toList();
  }
}
