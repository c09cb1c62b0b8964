package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import java.util.List;

/**
 * The plan of a run.
 *
 * @param experiments in the order in which they are run
 */
public record LabPlan(Effort effort, List<Experiment> experiments) {
  public LabPlan {
    experiments = List.copyOf(experiments);
  }

  /**
   * Returns the largest space that any experiment takes; each frees its own before the next begins.
   */
  public long mostBytes() {
    return experiments.stream().mapToLong(e -> e.mostBytes(effort)).max().orElse(0);
  }
}
