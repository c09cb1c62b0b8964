package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.ReadOptions;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
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

  ReadOptions applyTo(ReadOptions options, Surroundings surroundings) {
    if (at.isEmpty()) {
      return options;
    }
    long millis = parse(at, ZoneId.systemDefault());
    boolean saysItsZone = parse(at, ZoneOffset.UTC) == parse(at, ZoneOffset.MAX);
    surroundings
        .variable("TZ")
        .filter(zone -> !saysItsZone && isUnknown(zone))
        .ifPresent(
            zone ->
                surroundings
                    .err()
                    .println(
                        Printable.text(
                            "tailwater: TZ is "
                                + zone
                                + ", which is no known time zone: --at is in UTC")));
    return options.withAtMillis(millis);
  }

  /** The JVM takes UTC for a name that it does not know, and understands some that are no names. */
  private static boolean isUnknown(String variable) {
    String zone = variable.startsWith(":") ? variable.substring(1) : variable;
    boolean isUtc =
        ZoneId.systemDefault().getRules().isFixedOffset()
            && ZoneId.systemDefault().getRules().getOffset(Instant.EPOCH).equals(ZoneOffset.UTC);
    return isUtc
        && !zone.startsWith("/")
        && !zone.matches("(UTC|GMT)[-+]?0*")
        && !ZoneId.getAvailableZoneIds().contains(zone);
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
