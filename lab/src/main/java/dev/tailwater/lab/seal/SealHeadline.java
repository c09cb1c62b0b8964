package dev.tailwater.lab.seal;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code seal}: the codec that each uplink wants. */
final class SealHeadline {
  private SealHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    Optional<ResultTable> sealing = ResultTable.titled(SealTables.SEALING, tables);
    Optional<ResultTable> uplinks = ResultTable.titled(SealTables.UPLINKS, tables);
    return sealing.isEmpty() || uplinks.isEmpty()
        ? Optional.empty()
        : of(sealing.get(), uplinks.get());
  }

  private static Optional<Headline> of(ResultTable sealing, ResultTable uplinks) {
    Plot plot =
        new Plot(
            "Files' bytes that come through an uplink, by codec",
            SealTables.UPLINKS,
            SealTables.DELIVERED.name(),
            SealTables.UPLINK,
            SealTables.CODEC,
            Map.of(),
            Plot.Shape.LINES,
            true);
    return new SealConclusions(sealing, uplinks)
        .verdict()
        .map(verdict -> new Headline(PlotData.of(plot, uplinks), verdict, ""));
  }
}
