package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.file.FileIdentityExperiment;
import dev.tailwater.lab.file.WriteSizeSyncExperiment;
import dev.tailwater.lab.memory.BufferAllocationExperiment;
import dev.tailwater.lab.memory.TypedReadExperiment;
import java.util.List;

/** All experiments, in the order in which they are run and shown. */
public final class Experiments {
  private Experiments() {}

  /** One of each. */
  public static List<Experiment> all() {
    return List.of(
        new WriteSizeSyncExperiment(),
        new FileIdentityExperiment(),
        new TypedReadExperiment(),
        new BufferAllocationExperiment());
  }
}
