package dev.tailwater.cli.probe;

import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.destination.contract.Permission;
import java.io.IOException;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** The wording of numbers and names. */
final class Words {
  private static final double NANOS_PER_MILLI = 1e6;

  private Words() {}

  /** {@code 0.35 ms}, {@code 12 ms}, {@code 2.1 s}. */
  static String nanos(long nanos) {
    double millis = nanos / NANOS_PER_MILLI;
    if (millis >= 999.5) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
    String form = millis < 10 ? "%.2f ms" : "%.0f ms";
    return String.format(Locale.ROOT, form, millis);
  }

  /** {@code 250 ms}, {@code 12 s}, {@code 10 min 3 s}. */
  static String millis(long millis) {
    if (millis < 1000) {
      return millis + " ms";
    }
    long seconds = Math.round(millis / 1000.0);
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min " + seconds % 60 + " s";
  }

  /** What a call says that no destination throws; a fault of the program is named as what it is. */
  static String failure(Exception e) {
    return e instanceof IOException failure ? Printable.reason(failure) : e.toString();
  }

  static String rate(double bytesPerSecond) {
    return ByteSizes.forPeople(Math.round(bytesPerSecond)) + "/s";
  }

  static String permissions(Collection<Permission> permissions) {
    return permissions.stream()
        .sorted()
        .map(permission -> permission.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
