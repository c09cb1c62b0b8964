package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import java.util.List;
import java.util.Optional;

/** All experiments, in the order in which they are run and shown. */
public final class Experiments {
  private Experiments() {}

  /** One of each. */
  public static List<Experiment> all() {
    return List.of();
  }

  /** The one of this name. */
  public static Optional<Experiment> named(String name) {
    return all().stream().filter(experiment -> experiment.name().equals(name)).findFirst();
  }
}
