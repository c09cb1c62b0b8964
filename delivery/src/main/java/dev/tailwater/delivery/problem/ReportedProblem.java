package dev.tailwater.delivery.problem;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An open problem, and of which kinds it was when it was told. What varies from one time to the
 * next (descriptors, offsets, keys, request ids: whatever has a digit in it) makes no kind of its
 * own. For one thread at a time.
 */
final class ReportedProblem {
  /** Who takes turns among so many kinds has been told enough. */
  private static final int MOST_KINDS = 8;

  private static final Pattern VARYING = Pattern.compile("\\S*[0-9]\\S*");

  /** One that comes back at once must last so long to be told again. */
  private static final long LASTING_MILLIS = 5_000;

  private final Set<String> kinds;
  private Problem latest;
  private boolean told;

  /** A new one, which is told. */
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

  /** One that was over and has come back; it is told when it lasts, or is of a new kind. */
  ReportedProblem back(Problem problem, String kind) {
    return new ReportedProblem(this, problem.backAfter(latest), isNewKind(kind));
  }

  /** It has happened again; whether that is to be told. */
  boolean again(Problem problem, String kind, long nowMillis) {
    latest = problem.after(latest);
    boolean lasts = !told && nowMillis - latest.sinceMillis() >= LASTING_MILLIS;
    told |= lasts;
    return isNewKind(kind) || lasts;
  }

  private boolean isNewKind(String kind) {
    return kinds.size() < MOST_KINDS && kinds.add(withoutNumbers(kind));
  }

  /** Whether whoever listens knows of it, and is to know that it is over. */
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
