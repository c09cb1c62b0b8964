package dev.tailwater.lab.command;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.NearestWord;
import dev.tailwater.lab.Experiments;
import dev.tailwater.lab.experiment.Experiment;
import java.util.List;

/** The choice of experiments on the command line. */
final class ExperimentChoice {
  private ExperimentChoice() {}

  /**
   * Returns the experiments with these names, in the order in which they are run.
   *
   * @param names empty for all experiments
   * @throws UserException an experiment with such a name does not exist
   */
  public static List<Experiment> of(List<Experiment> all, List<String> names) {
    List<String> known = all.stream().map(Experiment::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw UserException.usage(
            "--only: there is no experiment '" + name + "'",
            NearestWord.to(name, known)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("'tailwater lab --list' names them"));
      }
    }
    return names.isEmpty()
        ? all
        : all.stream().filter(experiment -> names.contains(experiment.name())).toList();
  }

  /** Refuses the experiment with a destination if none was given. */
  public static void requireDestination(List<String> names, String destination) {
    if (names.contains(Experiments.DESTINATION) && destination.isEmpty()) {
      throw UserException.usage(
          "--only " + Experiments.DESTINATION + ": no destination was given",
          "--destination s3://bucket/prefix");
    }
  }
}
