package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.restore.ReadOptions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.Option;

/** The moment as of which an archive is read. */
final class MomentOption {
  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "The archive as it was then, by the agent's clock: 2026-11-24T03:00:00Z, or"
              + " 2026-11-24T03:00 in the time zone of this machine.")
  private String at = "";

  boolean isGiven() {
    return !at.isEmpty();
  }

  ReadOptions applyTo(ReadOptions options) {
    return at.isEmpty() ? options : options.withAtMillis(parse(at, ZoneId.systemDefault()));
  }

  /** Returns a time in milliseconds since 1970. */
  static long parse(String text, ZoneId zone) {
    String time = text.strip().replace(' ', 'T');
    try {
      return instant(time, zone).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw UserException.usage(
          "--at: expected a time, not " + text,
          "for example --at 2026-11-24T03:00:00Z, or --at 2026-11-24T03:00 in the time zone of this"
              + " machine");
    }
  }

  private static Instant instant(String time, ZoneId zone) {
    try {
      return OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeParseException e) {
      return LocalDateTime.parse(time).atZone(zone).toInstant();
    }
  }
}
