package dev.tailwater.lab;

import dev.tailwater.lab.buffer.BufferAllocationExperiment;
import dev.tailwater.lab.buffer.TypedReadExperiment;
import dev.tailwater.lab.change.ChangeDetectionExperiment;
import dev.tailwater.lab.destination.DestinationExperiment;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.identity.FileIdentityExperiment;
import dev.tailwater.lab.memory.CopyExperiment;
import dev.tailwater.lab.read.ReadPathExperiment;
import dev.tailwater.lab.seal.SealExperiment;
import dev.tailwater.lab.store.StoreCacheExperiment;
import dev.tailwater.lab.write.WriteSizeBlockExperiment;
import dev.tailwater.lab.write.WriteSizeSyncExperiment;
import java.util.List;

/** The list of all experiments, in the order in which they are run and shown. */
public final class Experiments {
  /** The name of the experiment that needs a destination. */
  public static final String DESTINATION = DestinationExperiment.TOPIC.name();

  private Experiments() {}

  /** Returns all experiments without a destination; the one that needs it will be skipped. */
  public static List<Experiment> all() {
    return all(new NoDestination());
  }

  /** Returns all experiments, with the given one for the destination. */
  public static List<Experiment> all(Experiment destination) {
    return List.of(
        new WriteSizeSyncExperiment(),
        new WriteSizeBlockExperiment(),
        new TypedReadExperiment(),
        new BufferAllocationExperiment(),
        new StoreCacheExperiment(),
        new ChangeDetectionExperiment(),
        new FileIdentityExperiment(),
        new ReadPathExperiment(),
        new CopyExperiment(),
        new SealExperiment(),
        destination);
  }
}
