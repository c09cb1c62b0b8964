package dev.tailwater.delivery.problem;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An open problem, with the kinds of it that the listener was told of. Words with a digit in them,
 * such as descriptors, offsets, keys and request ids, do not make a new kind. Not thread-safe: the
 * {@link ProblemRegistry} guards it.
 */
final class ReportedProblem {
  /** A problem that alternates among this many kinds is not told again. */
  private static final int MOST_KINDS = 8;

  private static final Pattern VARYING = Pattern.compile("\\S*[0-9]\\S*");

  /** A problem that comes back soon must last this long to be told again. */
  private static final long LASTING_MILLIS = 5_000;

  private final Set<String> kinds;
  private Problem latest;
  private boolean told;

  /** Creates a new problem, which is told. */
  ReportedProblem(Problem first, String kind) {
    this.kinds = new HashSet<>();
    this.latest = first;
    this.told = true;
    this.kinds.add(withoutNumbers(kind));
  }

  private ReportedProblem(ReportedProblem before, Problem first, boolean told) {
    this.kinds = before.kinds;
    this.latest = first;
    this.told = told;
  }

  /** Returns this problem after it has come back; it is told when it lasts or is of a new kind. */
  ReportedProblem back(Problem problem, String kind) {
    return new ReportedProblem(this, problem.backAfter(latest), isNewKind(kind));
  }

  /** Notes a repetition; returns whether that is to be told. */
  boolean again(Problem problem, String kind, long nowMillis) {
    latest = problem.after(latest);
    boolean lasts = !told && nowMillis - latest.sinceMillis() >= LASTING_MILLIS;
    told |= lasts;
    return isNewKind(kind) || lasts;
  }

  private boolean isNewKind(String kind) {
    return kinds.size() < MOST_KINDS && kinds.add(withoutNumbers(kind));
  }

  /** Returns whether the listener knows of it, and so must be told when it is over. */
  boolean isTold() {
    return told;
  }

  Problem latest() {
    return latest;
  }

  private static String withoutNumbers(String kind) {
    return VARYING.matcher(kind).replaceAll("#");
  }
}
