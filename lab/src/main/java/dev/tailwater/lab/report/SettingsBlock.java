package dev.tailwater.lab.report;

import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Recommended settings as lines of tailwater.yaml, each below its reason. If two experiments
 * recommend different values of a key, the first one sets it, and the other value is a comment,
 * since YAML allows each key only once.
 */
public final class SettingsBlock {
  private static final int COLUMNS = 96;

  /**
   * The keys that are printed, with plain values only. Results may come from elsewhere, and users
   * paste these lines, so nothing is printed but what an experiment recommends.
   */
  private static final Set<String> KEYS = Set.of("compress", "segment_size", "workers");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:.+-]*");

  private SettingsBlock() {}

  /**
   * Returns the lines for a whole result, with a note if the machine was too busy to rely on them.
   */
  public static String of(LabResult result) {
    String block = of(result.experiments());
    boolean tentative = result.host().busy().isPresent() && !block.isEmpty();
    return (tentative ? comment("tentative: measured on a busy machine") : "") + block;
  }

  /** Returns the lines; empty if nothing is recommended. */
  public static String of(List<ExperimentResult> experiments) {
    Map<String, List<String>> byKey = new LinkedHashMap<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (ExperimentResult experiment : experiments) {
      for (Recommendation setting : experiment.recommendations()) {
        if (isPlain(setting)) {
          List<String> comments = byKey.computeIfAbsent(setting.key(), key -> new ArrayList<>());
          String value = line(setting.value());
          String first = values.computeIfAbsent(setting.key(), key -> value);
          String instead = value.equals(first) ? "" : "rather " + value + ": ";
          comments.add(experiment.name() + ": " + instead + line(setting.reason()));
        }
      }
    }
    return byKey.entrySet().stream()
        .map(
            entry ->
                entry.getValue().stream().map(SettingsBlock::comment).collect(Collectors.joining())
                    + line(entry.getKey())
                    + ": "
                    + values.get(entry.getKey())
                    + "\n")
        .collect(Collectors.joining());
  }

  private static boolean isPlain(Recommendation setting) {
    return setting.place() == Place.CONFIGURATION
        && KEYS.contains(setting.key())
        && PLAIN.matcher(setting.value()).matches();
  }

  /** Returns the text as lines that begin with {@code #}. */
  private static String comment(String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder current = new StringBuilder("#");
    for (String word : text.split(" ", -1)) {
      if (current.length() > 1 && current.length() + 1 + word.length() > COLUMNS) {
        lines.append(current).append('\n');
        current = new StringBuilder("#");
      }
      current.append(' ').append(word);
    }
    return lines.append(current).append('\n').toString();
  }

  /** Puts a text on one line, because a further line would be a further setting. */
  private static String line(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ").strip();
  }
}
