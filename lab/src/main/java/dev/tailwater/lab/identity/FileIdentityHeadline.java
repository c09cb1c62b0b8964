package dev.tailwater.lab.identity;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code file-identity}: the ways compared with stat, as the article does. */
final class FileIdentityHeadline {
  private static final String ARTICLE =
      "fstat took 0.6 × the time of stat, open and fstat more than 2 ×";

  private FileIdentityHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(FileIdentityTable.TITLE, tables).flatMap(FileIdentityHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    Optional<Series> stat = time(table, IdentityWay.STAT);
    Optional<Series> fstat = time(table, IdentityWay.FSTAT);
    Optional<Series> open = time(table, IdentityWay.OPEN_FSTAT);
    if (stat.isEmpty() || fstat.isEmpty() || open.isEmpty()) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.of(fstat.get(), stat.get());
    String figures =
        "fstat takes %s µs, stat by name %s, and open with fstat %s"
            .formatted(
                Figures.text(fstat.get().median()),
                Figures.text(stat.get().median()),
                Figures.text(open.get().median()));
    String text =
        switch (comparison.certainty()) {
          case SHOWN -> "With names in the cache, " + figures;
          case NO_DIFFERENCE -> "No difference between fstat and stat: " + figures;
          case TOO_NOISY -> "Too noisy to tell fstat and stat apart: " + figures;
        };
    Plot plot =
        new Plot(
            "Time to know which file it is, compared with stat",
            FileIdentityTable.TITLE,
            FileIdentityTable.TO_STAT.name(),
            "way",
            "",
            Map.of("dentry cache", FileIdentityTable.WARM),
            Plot.Shape.BARS,
            false);
    return Optional.of(
        new Headline(
            PlotData.of(plot, table), new Conclusion(comparison.certainty(), text + "."), ARTICLE));
  }

  private static Optional<Series> time(ResultTable table, IdentityWay way) {
    return table.series(
        FileIdentityTable.TIME.name(),
        Map.of("way", way.words(), "dentry cache", FileIdentityTable.WARM));
  }
}
