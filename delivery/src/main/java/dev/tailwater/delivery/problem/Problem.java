package dev.tailwater.delivery.problem;

import java.util.Optional;

/**
 * Something that keeps part of the work from being done.
 *
 * @param destination the name of the destination whose work it keeps from being done; empty: of
 *     all, or of the only one
 * @param subject what it is about: a path, an object, the state directory
 * @param message the operation, the path and the errno
 * @param hint what the user can do
 * @param permanent whether trying again is not expected to help
 * @param bytesDependOnIt whether bytes may be at risk for it; else the agent does less well what is
 *     no part of that, such as merging
 * @param times how often it has happened since it began
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

  /** This one, which has begun anew after another of the same subject was over. */
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

  /** This one, which has happened after another of the same subject. */
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
