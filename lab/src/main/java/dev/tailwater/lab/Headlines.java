package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Plot;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The answers at a glance of all experiments. */
public final class Headlines {
  private static final List<Experiment> EXPERIMENTS = Experiments.all();

  private Headlines() {}

  /**
   * Returns the answer of a result: that of its experiment, or else its first plot and its most
   * certain conclusion. The result may come from another version of the lab.
   *
   * @return empty if the result has no plot or no conclusion
   */
  public static Optional<Headline> of(ExperimentResult result) {
    return ofExperiment(result).or(() -> ofFirst(result));
  }

  private static Optional<Headline> ofExperiment(ExperimentResult result) {
    try {
      return EXPERIMENTS.stream()
          .filter(experiment -> experiment.name().equals(result.name()))
          .findFirst()
          .flatMap(experiment -> experiment.headline(result.tables()))
          .filter(headline -> !headline.plot().lines().isEmpty());
    } catch (IllegalArgumentException | NoSuchElementException | IndexOutOfBoundsException e) {
      return Optional.empty(); // Tables of another version, or made by hand, with other columns.
    }
  }

  private static Optional<Headline> ofFirst(ExperimentResult result) {
    Optional<Conclusion> first =
        result.conclusions().stream().min(Comparator.comparingInt(Headlines::doubt));
    if (result.plots().isEmpty() || first.isEmpty()) {
      return Optional.empty();
    }
    Plot plot = result.plots().getFirst();
    return Optional.of(new Headline(PlotData.of(plot, result.tableOf(plot)), first.get(), ""));
  }

  private static int doubt(Conclusion conclusion) {
    return conclusion.certainty() == Certainty.TOO_NOISY ? 1 : 0;
  }
}
