package dev.tailwater.cli.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Patterns of the values that have a notation of their own: durations, sizes, bandwidths, codecs,
 * shares of time. Without anchors, like those of {@link NumberPattern}.
 */
final class ValuePatterns {
  private static final String CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

  private ValuePatterns() {}

  /** Returns the pattern of the durations of at least so many milliseconds. */
  static String duration(long leastMillis) {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("ms", 1L);
    units.put("s", 1_000L);
    units.put("m", 60_000L);
    units.put("h", 3_600_000L);
    units.put("d", 86_400_000L);
    return withUnits(units, leastMillis, OptionalLong.empty());
  }

  /** Returns the pattern of the sizes of at least so many bytes. */
  static String size(long leastBytes) {
    return withUnits(sizes(), leastBytes, OptionalLong.empty());
  }

  /** Returns the pattern of the sizes in a range. */
  static String size(long leastBytes, long mostBytes) {
    return withUnits(sizes(), leastBytes, OptionalLong.of(mostBytes));
  }

  private static Map<String, Long> sizes() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("B", 1L);
    units.put("KiB", 1L << 10);
    units.put("MiB", 1L << 20);
    units.put("GiB", 1L << 30);
    return units;
  }

  /** Puts together the units that have the same numbers. */
  private static String withUnits(Map<String, Long> units, long least, OptionalLong most) {
    Map<String, List<String>> byNumbers = new LinkedHashMap<>();
    units.forEach(
        (unit, factor) -> {
          long from = Math.ceilDiv(least, factor);
          if (most.isEmpty()) {
            byNumbers
                .computeIfAbsent(NumberPattern.atLeast(from), _ -> new ArrayList<>())
                .add(unit);
          } else if (from <= most.getAsLong() / factor) {
            String numbers = NumberPattern.between(from, most.getAsLong() / factor);
            byNumbers.computeIfAbsent(numbers, _ -> new ArrayList<>()).add(unit);
          }
        });
    List<String> alternatives = new ArrayList<>();
    byNumbers.forEach((numbers, words) -> alternatives.add(numbers + NumberPattern.either(words)));
    return NumberPattern.either(alternatives);
  }

  /** Returns the pattern of a bandwidth, with or without times of day. */
  static String bandwidth() {
    String rate = size(0) + "/s";
    String window = CLOCK + "-(?:" + CLOCK + "|24:00)\\s+" + rate;
    return "(?:\\s*" + window + "\\s*,)*\\s*(?:" + window + "|" + rate + ")\\s*";
  }

  /** Returns the pattern of a bound on bytes at risk. */
  static String bound(long leastBytes, long leastMillis) {
    String size = "\\s*" + size(leastBytes) + "\\s*";
    String age = "\\s*" + duration(leastMillis) + "\\s*";
    return "(?:" + size + "(?:," + age + ")?|" + age + "(?:," + size + ")?)";
  }

  /** Returns the pattern of a codec; upper and lower case are the same. */
  static String codec() {
    String zstd = anyCase("zstd") + "(?::(?:-0*[0-7]|\\+?0*(?:[0-9]|1[0-9])))?";
    String gzip = anyCase("gzip") + "(?::\\+?0*[1-9])?";
    return "\\s*(?:" + zstd + "|" + gzip + "|" + anyCase("store") + ")\\s*";
  }

  private static String anyCase(String word) {
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < word.length(); i++) {
      char letter = word.charAt(i);
      pattern.append('[').append(letter);
      pattern.append(String.valueOf(letter).toUpperCase(Locale.ROOT)).append(']');
    }
    return pattern.toString();
  }

  /** Returns the pattern of processor time: {@code 50%}, or {@code 0.5} processors. */
  static String processors() {
    String percent = NumberPattern.between(1, 99_999) + "(?:\\.[0-9]{1,2})?%";
    String whole = NumberPattern.between(1, 999) + "(?:\\.[0-9]{1,4})?";
    String part = "0{1,3}\\.(?:[1-9][0-9]{0,3}|0[1-9][0-9]{0,2})";
    return "(?:" + percent + "|" + whole + "|" + part + ")";
  }

  /** Returns the pattern of a share of time, more than 0% and at most 100%. */
  static String share() {
    String whole = NumberPattern.between(1, 99) + "(?:\\.[0-9]{1,2})?";
    String part = "0{1,5}\\.(?:[1-9][0-9]?|0[1-9])";
    return "(?:" + whole + "|0{0,2}100(?:\\.0{1,2})?|" + part + ")%";
  }

  /** Returns the pattern of limits on pressure: {@code on}, {@code off} or a list. */
  static String pressure() {
    String one = "\\s*(?:cpu|io|memory)\\s*:\\s*(?:off|" + share() + ")\\s*";
    return "(?:on|off|" + one + "(?:\\+" + one + ")*)";
  }

  /** Returns the pattern of {@code neighbour} as one text. */
  static String neighbour() {
    List<String> settings =
        List.of(
            setting("nice", "(?:[0-9]|1[0-9])"),
            setting("scheduling", "(?:normal|batch|idle)"),
            setting("io[-_]priority", ioPriority()),
            setting("cpu[-_]limit", "(?:off|" + processors() + ")"),
            setting("pressure", pressure()));
    String one = NumberPattern.either(settings);
    return "(?:off|" + one + "(?:," + one + ")*)";
  }

  private static String setting(String key, String value) {
    return "\\s*" + key + "\\s*=\\s*" + value + "\\s*";
  }

  /** Returns the pattern of an I/O priority. */
  static String ioPriority() {
    return "(?:none|idle|best-effort:[0-7])";
  }

  /** Returns the pattern of the address of an endpoint, without a user name. */
  static String endpoint() {
    String host = "(?:[A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]*)?";
    return "https?://" + host + "(?:[/?#][^\\s\"<>\\\\^`{|}]*)?";
  }

  /** Returns the pattern of a source of notices as one text. */
  static String notice() {
    return "(?:auto|off|ec2|gce|azure|azure:acknowledge|file:(?://)?(?!//)\\s*\\S[\\s\\S]*|command:\\s*\\S[\\s\\S]*|"
        + endpoint()
        + ")";
  }
}
