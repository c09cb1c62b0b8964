package dev.tailwater.cli.config;

import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.name.AgentName;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.delivery.pack.PackUse;
import java.time.Duration;
import java.util.regex.Pattern;

/** Checks of single values. Each throws an IllegalArgumentException that says what is expected. */
final class ValueChecks {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /** The beginning of a URI; anything else is a path. */
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

  private ValueChecks() {}

  /** Whether the text is a URI rather than a path. */
  static boolean isUri(String text) {
    return URI.matcher(text).matches();
  }

  static String agentName(String text) {
    if (!AgentName.isValid(text)) {
      throw new IllegalArgumentException(
          "expected 1 to 64 of A-Z a-z 0-9 . _ - for the agent's name, and no dot at its beginning,"
              + " not '"
              + text
              + "'");
    }
    return text;
  }

  static String destinationName(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "expected 1 to 64 of A-Z a-z 0-9 . _ - for the destination's name, not '" + text + "'");
    }
    return text;
  }

  static boolean isTrue(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("expected true or false, not '" + text + "'");
    }
    return text.equals("true");
  }

  static boolean isShip(String text) {
    if (!text.equals("ship") && !text.equals("skip")) {
      throw new IllegalArgumentException("expected skip or ship, not '" + text + "'");
    }
    return text.equals("ship");
  }

  static boolean isOn(String text) {
    if (!text.equals("on") && !text.equals("off")) {
      throw new IllegalArgumentException("expected on or off, not '" + text + "'");
    }
    return text.equals("on");
  }

  static PackUse packUse(String text) {
    return switch (text) {
      case "auto" -> PackUse.FOR_MANY_FILES;
      case "on" -> PackUse.ALWAYS;
      case "off" -> PackUse.NEVER;
      default -> throw new IllegalArgumentException("expected auto, on or off, not '" + text + "'");
    };
  }

  static String notEmpty(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("expected a value, not an empty text");
    }
    return text;
  }

  static int count(String text, int most) {
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= most) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "expected a whole number from 1 to " + most + ", not '" + text + "'");
  }

  /** Checks a public key, or the name of a file, which is not read. */
  static String recipient(String text) {
    return Recipient.isMeant(text) ? Recipient.parse(text).text() : notEmpty(text);
  }

  static Duration duration(String text, Duration least) {
    Duration duration = Durations.parse(text);
    if (duration.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "expected at least " + Durations.format(least) + ", not '" + text + "'");
    }
    return duration;
  }

  static long sizeBytes(String text, long leastBytes, long mostBytes) {
    long bytes = ByteSizes.parse(text);
    if (bytes < leastBytes || bytes > mostBytes) {
      throw new IllegalArgumentException(
          "expected "
              + ByteSizes.format(leastBytes)
              + " to "
              + ByteSizes.format(mostBytes)
              + ", not '"
              + text
              + "'");
    }
    return bytes;
  }

  /** Checks that a path is absolute. */
  static String absolutePath(String text) {
    if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("expected an absolute path, not '" + text + "'");
    }
    return text;
  }
}
