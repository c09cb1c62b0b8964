package dev.tailwater.delivery.notice;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A description of a notice by a file, a command or an endpoint that the user has configured:
 * nothing, a number of seconds, an instant (RFC 3339), or a JSON object with the optional fields
 * {@code deadline} (one of these), {@code text} and {@code kind} ({@code termination}, {@code risk}
 * or {@code pause}).
 *
 * @param seconds the deadline, from when the notice was given
 * @param at the deadline, as an instant of the wall clock
 */
record NoticeContent(
    Notice.Kind kind, Optional<Duration> seconds, Optional<Instant> at, String text) {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,3})?");
  private static final int MAX_TEXT = 200;

  /**
   * Parses a description.
   *
   * @throws IOException when it is none of these; the message says what is expected
   */
  static NoticeContent parse(String content) throws IOException {
    String text = content.strip();
    if (!text.startsWith("{")) {
      return withDeadline(text, Notice.Kind.TERMINATION, "");
    }
    JsonObject json = JsonObject.parse(content);
    String kind = json.textOnly("kind").orElse("termination");
    return withDeadline(
        json.textOnly("deadline").orElse("").strip(), kind(kind), json.textOnly("text").orElse(""));
  }

  /** Parses a description, and takes for a text whatever cannot be understood. */
  static NoticeContent parseOrText(String content) {
    try {
      return parse(content);
    } catch (IOException e) {
      return new NoticeContent(
          Notice.Kind.TERMINATION, Optional.empty(), Optional.empty(), shortened(content.strip()));
    }
  }

  private static NoticeContent withDeadline(String deadline, Notice.Kind kind, String text)
      throws IOException {
    Optional<Duration> seconds = Optional.empty();
    Optional<Instant> at = Optional.empty();
    if (SECONDS.matcher(deadline).matches()) {
      seconds = Optional.of(Duration.ofMillis(Math.round(Double.parseDouble(deadline) * 1000)));
    } else if (!deadline.isEmpty()) {
      at = Optional.of(instant(deadline));
    }
    return new NoticeContent(kind, seconds, at, shortened(text));
  }

  private static Notice.Kind kind(String word) throws IOException {
    for (Notice.Kind kind : Notice.Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    throw new IOException("expected termination, risk or pause as 'kind', not '" + word + "'");
  }

  private static Instant instant(String text) throws IOException {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IOException(
          "expected nothing, a number of seconds, an instant such as 2026-11-22T14:30:00Z, or a"
              + " JSON object, not '"
              + shortened(text)
              + "'",
          e);
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  /** Returns an id for the notice, without a number of seconds, which may differ in each answer. */
  String id() {
    return kind + " " + at.map(Instant::toString).orElse("") + " " + text;
  }

  /**
   * Returns the notice that this describes.
   *
   * @param given when it was given, by the wall clock; a number of seconds counts from there
   * @param now the present time, by the wall clock
   * @param usual how long the machine lives on if no deadline is named
   * @param from says where the notice comes from, if it has no text
   */
  Notice notice(String id, Instant given, Instant now, Duration usual, String from) {
    Duration whole = seconds.orElse(usual);
    Duration untilThen =
        at.map(instant -> Duration.between(now, instant))
            .orElseGet(() -> Duration.between(now, given.plus(whole)));
    // It cannot be given in the future: a clock is wrong.
    Duration left = at.isEmpty() && untilThen.compareTo(whole) > 0 ? whole : untilThen;
    return new Notice(
        kind,
        id,
        kind == Notice.Kind.TERMINATION || seconds.isPresent() || at.isPresent()
            ? Optional.of(left)
            : Optional.empty(),
        whole,
        text.isEmpty() ? from : text);
  }
}
