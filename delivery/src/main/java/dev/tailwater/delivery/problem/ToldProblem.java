package dev.tailwater.delivery.problem;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An open problem, and of which kinds it was when it was told. What varies from one time to the next
 * (descriptors, offsets, keys, request ids: whatever has a digit in it) makes no kind of its own.
 * For one thread at a time.
 */
final class ToldProblem {
  /** Who takes turns among so many kinds has been told enough. */
  private static final int MOST_KINDS = 8;

  private static final Pattern VARYING = Pattern.compile("\\S*[0-9]\\S*");

  private final Set<String> kinds = new HashSet<>();
  private Problem latest;

  ToldProblem(Problem first, String kind) {
    this.latest = first;
    this.kinds.add(withoutNumbers(kind));
  }

  /** It has happened again; whether that is to be told. */
  boolean again(Problem problem, String kind) {
    latest = problem.after(latest);
    return kinds.size() < MOST_KINDS && kinds.add(withoutNumbers(kind));
  }

  Problem latest() {
    return latest;
  }

  private static String withoutNumbers(String kind) {
    return VARYING.matcher(kind).replaceAll("#");
  }
}
