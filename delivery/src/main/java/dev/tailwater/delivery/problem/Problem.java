package dev.tailwater.delivery.problem;

import java.util.Optional;

/**
 * Something that prevents part of the work.
 *
 * @param destination the name of the destination that it concerns; empty: all, or the only one
 * @param subject what it is about: a path, an object, the state directory
 * @param message the operation, the path and the errno
 * @param hint what the user can do
 * @param permanent whether trying again is not expected to help
 * @param bytesDependOnIt whether bytes may be at risk because of it; otherwise it affects something
 *     else, such as merging
 * @param times how often it has occurred since it began
 */
public record Problem(
    Optional<String> destination,
    String subject,
    String message,
    Optional<String> hint,
    boolean permanent,
    boolean bytesDependOnIt,
    long times,
    long sinceMillis) {

  /** Returns this problem as the return of an earlier one of the same subject that was over. */
  Problem backAfter(Problem before) {
    return new Problem(
        destination,
        subject,
        message,
        hint,
        permanent,
        bytesDependOnIt,
        before.times + 1,
        sinceMillis);
  }

  /** Returns this problem as a repetition of an open one of the same subject. */
  Problem after(Problem before) {
    return new Problem(
        destination,
        subject,
        message,
        hint,
        permanent,
        bytesDependOnIt,
        before.times + 1,
        before.sinceMillis);
  }
}
