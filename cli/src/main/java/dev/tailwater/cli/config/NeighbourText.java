package dev.tailwater.cli.config;

import dev.tailwater.cli.value.NearestWord;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.neighbour.PressureLimits;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the agent makes room for other programs, as people write it: {@code
 * nice=10,scheduling=batch,io-priority=best-effort:7,cpu-limit=50%,pressure=cpu:20%+io:30%}, or
 * {@code off}. In the configuration file it is a map of the same keys. Keys that are left out keep
 * their values.
 */
final class NeighbourText {
  /** The keys of the map in the configuration file. */
  static final List<String> KEYS =
      List.of("nice", "scheduling", "io_priority", "cpu_limit", "pressure");

  /** The keys of {@code pressure}. */
  static final List<String> RESOURCES = List.of("cpu", "io", "memory");

  static final String OFF = "off";

  private static final String ON = "on";
  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,5}(?:\\.[0-9]{1,2})?)%");
  private static final Pattern PART = Pattern.compile("[0-9]{1,3}\\.[0-9]{1,4}|[0-9]{1,3}");

  private NeighbourText() {}

  /**
   * Changes settings as a text says.
   *
   * @throws IllegalArgumentException saying what is expected
   */
  static NeighbourSettings apply(NeighbourSettings before, String text) {
    if (text.equals(OFF)) {
      return NeighbourSettings.OFF;
    }
    NeighbourSettings settings = before;
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "expected off, or settings such as nice=10,cpu-limit=50%, not '" + text + "'");
      }
      String key = part.substring(0, equals).strip();
      settings = apply(settings, key, part.substring(equals + 1).strip());
    }
    return settings;
  }

  /** Changes one setting. */
  static NeighbourSettings apply(NeighbourSettings s, String dashedKey, String value) {
    String key = dashedKey.replace('-', '_');
    return switch (key) {
      case "nice" ->
          new NeighbourSettings(
              nice(value), s.policy(), s.ioPriority(), s.cpuLimit(), s.pressure());
      case "scheduling" ->
          new NeighbourSettings(
              s.nice(), policy(value), s.ioPriority(), s.cpuLimit(), s.pressure());
      case "io_priority" ->
          new NeighbourSettings(
              s.nice(), s.policy(), ioPriority(value), s.cpuLimit(), s.pressure());
      case "cpu_limit" ->
          new NeighbourSettings(
              s.nice(), s.policy(), s.ioPriority(), cpuLimit(value), s.pressure());
      case "pressure" ->
          new NeighbourSettings(
              s.nice(), s.policy(), s.ioPriority(), s.cpuLimit(), pressure(value));
      default ->
          throw new IllegalArgumentException(
              "unknown setting '"
                  + dashedKey
                  + "'; "
                  + NearestWord.to(key, KEYS)
                      .map(nearest -> "did you mean '" + nearest + "'?")
                      .orElse("known ones are " + String.join(", ", KEYS)));
    };
  }

  /** Changes the limit of one resource; the others keep their defaults. */
  static NeighbourSettings applyPressure(NeighbourSettings s, String resource, String value) {
    return new NeighbourSettings(
        s.nice(),
        s.policy(),
        s.ioPriority(),
        s.cpuLimit(),
        Optional.of(with(s.pressure().orElse(PressureLimits.STANDARD), resource, value)));
  }

  private static int nice(String text) {
    if (text.matches("[0-9]|1[0-9]")) {
      return Integer.parseInt(text);
    }
    throw new IllegalArgumentException("expected a nice level from 0 to 19, not '" + text + "'");
  }

  private static SchedulingPolicy policy(String text) {
    for (SchedulingPolicy policy : SchedulingPolicy.values()) {
      if (text.equals(policy.name().toLowerCase(Locale.ROOT))) {
        return policy;
      }
    }
    throw new IllegalArgumentException("expected normal, batch or idle, not '" + text + "'");
  }

  private static IoPriority ioPriority(String text) {
    return switch (text) {
      case "none" -> IoPriority.NONE;
      case "idle" -> IoPriority.IDLE;
      default -> {
        if (text.matches("best-effort:[0-7]")) {
          yield IoPriority.bestEffort(text.charAt(text.length() - 1) - '0');
        }
        throw new IllegalArgumentException(
            "expected idle, none, or best-effort:0 to best-effort:7, not '" + text + "'");
      }
    };
  }

  private static OptionalDouble cpuLimit(String text) {
    if (text.equals(OFF)) {
      return OptionalDouble.empty();
    }
    Matcher percent = PERCENT.matcher(text);
    double limit =
        percent.matches()
            ? Double.parseDouble(percent.group(1)) / 100
            : PART.matcher(text).matches() ? Double.parseDouble(text) : 0;
    if (limit < NeighbourSettings.MIN_CPU_LIMIT) {
      throw new IllegalArgumentException(
          "expected a part of one processor of at least 1%, such as 50% or 0.5, or off, not '"
              + text
              + "'");
    }
    return OptionalDouble.of(limit);
  }

  private static Optional<PressureLimits> pressure(String text) {
    if (text.equals(OFF)) {
      return Optional.empty();
    }
    PressureLimits limits = PressureLimits.STANDARD;
    if (text.equals(ON)) {
      return Optional.of(limits);
    }
    for (String part : text.split("\\+", -1)) {
      int colon = part.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(
            "expected on, off, or limits such as cpu:20%+io:30%, not '" + text + "'");
      }
      limits = with(limits, part.substring(0, colon).strip(), part.substring(colon + 1).strip());
    }
    return Optional.of(limits);
  }

  private static PressureLimits with(PressureLimits limits, String resource, String value) {
    double part = part(value);
    return switch (resource) {
      case "cpu" -> new PressureLimits(part, limits.io(), limits.memory());
      case "io" -> new PressureLimits(limits.cpu(), part, limits.memory());
      case "memory" -> new PressureLimits(limits.cpu(), limits.io(), part);
      default ->
          throw new IllegalArgumentException(
              "expected pressure of cpu, io or memory, not '" + resource + "'");
    };
  }

  private static double part(String text) {
    if (text.equals(OFF)) {
      return PressureLimits.NEVER;
    }
    Matcher percent = PERCENT.matcher(text);
    double part = percent.matches() ? Double.parseDouble(percent.group(1)) / 100 : 0;
    if (part <= 0 || part > 1) {
      throw new IllegalArgumentException(
          "expected a part of the time, more than 0% and at most 100%, or off, not '" + text + "'");
    }
    return part;
  }
}
