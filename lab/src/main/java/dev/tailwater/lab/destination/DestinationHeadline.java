package dev.tailwater.lab.destination;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code destination}: the smallest segments that are enough. */
public final class DestinationHeadline {
  private DestinationHeadline() {}

  /** Returns the answer, which a result has even where no destination is open. */
  public static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(DestinationTable.TITLE, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(DestinationHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    List<Conclusion> conclusions = new DestinationConclusions(table).conclusions();
    Plot plot =
        new Plot(
            "Throughput by size of the segments and puts at a time",
            DestinationTable.TITLE,
            DestinationTable.THROUGHPUT.name(),
            DestinationTable.SIZE,
            DestinationTable.PARALLEL,
            Map.of(),
            Plot.Shape.BARS,
            false);
    return conclusions.isEmpty()
        ? Optional.empty()
        : Optional.of(new Headline(PlotData.of(plot, table), conclusions.getLast(), ""));
  }
}
