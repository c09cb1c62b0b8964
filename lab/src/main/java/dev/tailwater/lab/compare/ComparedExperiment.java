package dev.tailwater.lab.compare;

import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An experiment that is in one result or in both.
 *
 * @param conditions those that differ, so that the measurements are not quite the same
 * @param remarks what cannot be compared, and why
 */
public record ComparedExperiment(
    String name,
    String question,
    List<Pair> conditions,
    List<String> remarks,
    List<ComparedTable> tables,
    List<PlotData> plots) {

  static ComparedExperiment of(ExperimentResult first, ExperimentResult second, Names names) {
    List<String> remarks = new ArrayList<>();
    List<ComparedTable> tables = new ArrayList<>();
    List<PlotData> plots = new ArrayList<>();
    ended(first, names.first()).ifPresent(remarks::add);
    ended(second, names.second()).ifPresent(remarks::add);
    if (remarks.isEmpty()) {
      for (ResultTable table : first.tables()) {
        Optional<ResultTable> other = table(second, table.title());
        Optional<ComparedTable> both = other.flatMap(with -> ComparedTable.of(table, with));
        both.ifPresentOrElse(
            tables::add,
            () -> remarks.add("'" + table.title() + "' has no like in " + names.second()));
        both.ifPresent(compared -> rest(compared, names).ifPresent(remarks::add));
      }
      for (Plot plot : first.plots()) {
        table(second, plot.table())
            .filter(other -> other.parameters().equals(first.tableOf(plot).parameters()))
            .filter(other -> other.quantities().equals(first.tableOf(plot).quantities()))
            .map(other -> PairedPlot.of(plot, first.tableOf(plot), other, names))
            .ifPresent(plots::add);
      }
    }
    return new ComparedExperiment(
        first.name(),
        first.question(),
        Differences.of(first.conditions(), second.conditions()),
        remarks,
        tables,
        plots);
  }

  /** Creates an experiment that only one of the results has. */
  static ComparedExperiment alone(ExperimentResult experiment, String other) {
    return new ComparedExperiment(
        experiment.name(),
        experiment.question(),
        List.of(),
        List.of("not in " + other),
        List.of(),
        List.of());
  }

  private static Optional<String> ended(ExperimentResult experiment, String name) {
    return experiment
        .skipped()
        .map(why -> "skipped in " + name + ": " + why)
        .or(() -> experiment.failed().map(why -> "failed in " + name + ": " + why));
  }

  private static Optional<String> rest(ComparedTable table, Names names) {
    List<String> rest = new ArrayList<>();
    if (table.onlyFirst() > 0) {
      rest.add(table.onlyFirst() + " only in " + names.first());
    }
    if (table.onlySecond() > 0) {
      rest.add(table.onlySecond() + " only in " + names.second());
    }
    return rest.isEmpty()
        ? Optional.empty()
        : Optional.of("of the rows of '" + table.title() + "' " + String.join(", ", rest));
  }

  private static Optional<ResultTable> table(ExperimentResult experiment, String title) {
    return experiment.tables().stream().filter(t -> t.title().equals(title)).findFirst();
  }
}
