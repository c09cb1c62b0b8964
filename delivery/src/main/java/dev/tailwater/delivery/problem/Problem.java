package dev.tailwater.delivery.problem;

import java.util.Optional;

/**
 * Something that keeps part of the work from being done.
 *
 * @param subject what it is about: a path, an object, the state directory
 * @param message the operation, the path and the errno
 * @param hint what the user can do
 * @param permanent whether trying again is not expected to help
 * @param times how often it has happened since it began
 */
public record Problem(
    String subject,
    String message,
    Optional<String> hint,
    boolean permanent,
    long times,
    long sinceMillis) {

  /** The same, once more. */
  Problem again() {
    return new Problem(subject, message, hint, permanent, times + 1, sinceMillis);
  }
}
