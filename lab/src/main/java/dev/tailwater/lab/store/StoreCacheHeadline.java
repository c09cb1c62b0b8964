package dev.tailwater.lab.store;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code store-cache}: data files before and after an eviction. */
final class StoreCacheHeadline {
  private static final String ARTICLE =
      "50 000 gets a second, 2 000 after an eviction, and 66 000 when the file had been read again";

  private StoreCacheHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(StoreTables.GETS, tables).flatMap(StoreCacheHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    Optional<Series> hot = gets(table, StoreVariant.DATA_FILES, StoreTables.HOT);
    Optional<Series> evicted = gets(table, StoreVariant.DATA_FILES, StoreTables.EVICTED);
    if (hot.isEmpty() || evicted.isEmpty()) {
      return Optional.empty(); // Where nothing leaves the page cache, there is nothing to lose.
    }
    Comparison comparison = Comparison.of(hot.get(), evicted.get());
    String loss =
        switch (comparison.certainty()) {
          case SHOWN ->
              "Gets become %s × slower (%s a second instead of %s)"
                  .formatted(
                      Figures.text(comparison.ratio()),
                      Figures.text(evicted.get().median()),
                      Figures.text(hot.get().median()));
          case NO_DIFFERENCE -> "Gets lose nothing";
          case TOO_NOISY -> "Too noisy to tell what gets lose";
        };
    String own =
        gets(table, StoreVariant.DATA_FILES_CACHED, StoreTables.EVICTED)
            .map(
                series ->
                    "; with the store's own cache there are %s a second"
                        .formatted(Figures.text(series.median())))
            .orElse("");
    Plot plot =
        new Plot(
            "Gets in a second, by where the files are",
            StoreTables.GETS,
            StoreTables.GETS_PER_SECOND.name(),
            StoreTables.STATE,
            StoreTables.STORE,
            Map.of(),
            Plot.Shape.BARS,
            true);
    return Optional.of(
        new Headline(
            PlotData.of(plot, table),
            new Conclusion(comparison.certainty(), loss + own + "."),
            ARTICLE));
  }

  private static Optional<Series> gets(ResultTable table, StoreVariant store, String state) {
    return Contender.of(
            "",
            table,
            StoreTables.GETS_PER_SECOND.name(),
            Map.of(StoreTables.STORE, store.toString(), StoreTables.STATE, state))
        .map(Contender::series);
  }
}
