package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.memory.PollutionVariant.Victim;
import dev.tailwater.lab.result.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The measurements next to copiers that kept their rate; only these have the same load.
 *
 * @param walks microseconds of a walk
 * @param leftOut the copiers that did not keep their rate, in words
 */
record Neighbours(Map<PollutionVariant, Series> walks, List<String> leftOut) {
  /** The part of the rate below which a copier did not keep it. */
  private static final double KEPT = 0.95;

  /**
   * Takes a series for each of {@link PollutionVariant#methods}, or that of the whole benchmark.
   */
  static Neighbours of(Map<PollutionVariant, List<Series>> measured) {
    Map<PollutionVariant, Series> walks = new LinkedHashMap<>();
    measured.forEach(
        (variant, series) -> {
          if (variant.keptShare(series) >= KEPT) {
            walks.put(variant, series.getFirst());
          }
        });
    List<String> leftOut =
        measured.entrySet().stream()
            .filter(entry -> !walks.containsKey(entry.getKey()))
            .map(
                entry ->
                    "%s: %s %% of the rate"
                        .formatted(
                            entry.getKey(),
                            Figures.text(100 * entry.getKey().keptShare(entry.getValue()))))
            .toList();
    return new Neighbours(walks, leftOut);
  }

  /** Returns whether any victim worked while another thread copied. */
  boolean anyBeside() {
    return walks.keySet().stream().anyMatch(variant -> variant.victim() == Victim.BESIDE);
  }
}
