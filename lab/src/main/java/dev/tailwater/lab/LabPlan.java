package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param experiments in the order in which they are run
 */
public record LabPlan(Effort effort, List<Experiment> experiments) {
  public LabPlan {
    experiments = List.copyOf(experiments);
  }

  /** How much space the most greedy of them takes; each is gone before the next begins. */
  public long mostBytes() {
    return experiments.stream().mapToLong(e -> e.mostBytes(effort)).max().orElse(0);
  }
}
