package dev.tailwater.lab.report;

import dev.tailwater.lab.result.ExperimentResult;
import java.util.List;
import java.util.stream.Collectors;

/** The sentence about what was left out because time was up. */
public final class LeftOut {
  private LeftOut() {}

  /**
   * Returns what was left out: {@code read-path (4 of 5 rounds; cold files), copy (everything)};
   * empty if it was nothing.
   */
  public static String text(List<ExperimentResult> experiments) {
    return experiments.stream()
        .filter(experiment -> experiment.leftOut().isPresent())
        .map(experiment -> experiment.name() + " (" + experiment.leftOut().orElse("") + ")")
        .collect(Collectors.joining(", "));
  }
}
