package dev.tailwater.delivery.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * A notice as a source gives it.
 *
 * @param id the same in each answer as long as it is the same notice
 * @param left the time until the deadline when the answer was given, by the clock of whoever named
 *     the deadline; negative when it has passed; empty when none was named
 * @param usual how long machines usually live after such a notice; stands in for a deadline that
 *     was not named or cannot be true
 * @param text what will happen and why, for people
 */
public record Notice(Kind kind, String id, Optional<Duration> left, Duration usual, String text) {
  /**
   * A termination that is farther away is only a risk until then. No cloud gives a longer notice.
   */
  public static final Duration LONGEST_HURRY = Duration.ofMinutes(15);

  /** What will happen to the machine. */
  public enum Kind {
    /** It goes away, or is restarted. */
    TERMINATION,
    /** It may go away soon; nobody knows when. */
    RISK,
    /** It pauses for a while, and goes on with its memory intact. */
    PAUSE
  }
}
