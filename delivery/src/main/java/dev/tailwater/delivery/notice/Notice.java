package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * What a source says now.
 *
 * @param id the same in each answer as long as it is the same notice
 * @param left until the deadline, by the clock of whoever named it, when it was said; negative: it
 *     is past; empty: nobody named one
 * @param usual how long machines usually live after such a notice; stands in for a deadline that
 *     was not named or cannot be true
 * @param text for people: what will happen, and why
 */
public record Notice(Kind kind, String id, Optional<Duration> left, Duration usual, String text) {
  /** A termination that is farther away is a risk until then: no cloud needs more in a hurry. */
  public static final Duration LONGEST_HURRY = Duration.ofMinutes(15);

  /** What becomes of the machine. */
  public enum Kind {
    /** It goes away, or is restarted. */
    TERMINATION,
    /** It may go away soon; nobody knows when. */
    RISK,
    /** It stands still for a while, and goes on with all it had. */
    PAUSE
  }
}
