package dev.tailwater.destination.cloud;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.UnknownDestinationException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a new object can be neither removed nor replaced. It holds for segments and packs, which
 * never change; not for small objects that are replaced when there is news of a stream.
 *
 * @param days 1 to 36500
 * @param locked whether nobody can end it earlier, not even the owner of the account
 */
public record Retention(int days, boolean locked) {
  private static final Pattern DAYS = Pattern.compile("([1-9][0-9]{0,4})d");
  private static final int MAX_DAYS = 36_500;

  public Retention {
    if (days < 1 || days > MAX_DAYS) {
      throw new IllegalArgumentException("a retention of " + days + " days");
    }
  }

  /**
   * Reads the options of a URI.
   *
   * @param daysOption the option with a value such as {@code 30d}
   * @param modeOption the option with one of the two modes; the first is the default
   */
  public static Optional<Retention> of(
      DestinationQuery query, String daysOption, String modeOption, String unlocked, String locked)
      throws UnknownDestinationException {
    Optional<String> text = query.value(daysOption);
    Optional<String> mode = query.value(modeOption);
    if (text.isEmpty()) {
      if (mode.isPresent()) {
        throw query.wrong(modeOption, daysOption + " beside it");
      }
      return Optional.empty();
    }
    Matcher days = DAYS.matcher(text.get());
    if (!days.matches() || Integer.parseInt(days.group(1)) > MAX_DAYS) {
      throw query.wrong(daysOption, "a number of days up to " + MAX_DAYS + ", such as 30d");
    }
    if (mode.isPresent() && !mode.get().equals(unlocked) && !mode.get().equals(locked)) {
      throw query.wrong(modeOption, unlocked + " or " + locked);
    }
    return Optional.of(
        new Retention(Integer.parseInt(days.group(1)), mode.filter(locked::equals).isPresent()));
  }

  /** Returns when the retention of an object ends that is put now; a whole second. */
  public Instant until(Instant now) {
    return now.plus(Duration.ofDays(days)).truncatedTo(ChronoUnit.SECONDS);
  }
}
