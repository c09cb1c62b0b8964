package dev.tailwater.lab.write;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Comparison;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code write-size-block}: cold overwrites in the directory itself. */
final class WriteSizeBlockHeadline {
  private static final String ARTICLE =
      "128 MiB overwritten cold on blocks of 4 KiB in chunks of 4096, 6144 and 8192 bytes: 69, 1646"
          + " and 59 ms";
  private static final String ODD = "6144";
  private static final String EVEN = "8192";

  private WriteSizeBlockHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(WriteSizeBlockTable.TITLE, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(WriteSizeBlockHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    String volume = table.rows().getFirst().parameters().getFirst();
    Map<String, String> cold =
        Map.of(
            WriteSizeBlockTable.VOLUME,
            volume,
            WriteSizeBlockTable.STATE,
            WriteSizeBlockTable.words(State.OVERWRITE_COLD));
    Optional<Series> odd = series(table, WriteSizeBlockTable.THROUGHPUT.name(), volume, ODD);
    Optional<Series> even = series(table, WriteSizeBlockTable.THROUGHPUT.name(), volume, EVEN);
    if (odd.isEmpty() || even.isEmpty()) {
      return Optional.empty(); // Files that stay in memory cannot be overwritten cold.
    }
    Plot plot =
        new Plot(
            "Overwriting what is not in memory, by chunk; " + volume,
            WriteSizeBlockTable.TITLE,
            WriteSizeBlockTable.THROUGHPUT.name(),
            WriteSizeBlockTable.CHUNK,
            WriteSizeBlockTable.WAY,
            cold,
            Plot.Shape.BARS,
            false);
    Optional<Series> read = series(table, WriteSizeBlockTable.READ.name(), volume, ODD);
    return Optional.of(
        new Headline(PlotData.of(plot, table), verdict(odd.get(), even.get(), read), ARTICLE));
  }

  private static Conclusion verdict(Series odd, Series even, Optional<Series> read) {
    Comparison comparison = Comparison.of(odd, even);
    String figures =
        "chunks of %s bytes have %s × the throughput of chunks of %s (%s against %s MB/s)"
            .formatted(
                ODD,
                Figures.text(comparison.ratio()),
                EVEN,
                Figures.text(odd.median()),
                Figures.text(even.median()));
    String reason =
        read.filter(series -> series.median() > 0)
            .map(
                series ->
                    ", and make the kernel read %s KiB of each MiB first"
                        .formatted(Figures.text(series.median())))
            .orElse("");
    String text =
        switch (comparison.certainty()) {
          case SHOWN -> (comparison.ratio() < 1 ? "Yes: " : "No: ") + figures + reason + ".";
          case NO_DIFFERENCE -> "No: " + figures + reason + ".";
          case TOO_NOISY -> "Too noisy to tell: " + figures + reason + ".";
        };
    return new Conclusion(comparison.certainty(), text);
  }

  private static Optional<Series> series(
      ResultTable table, String quantity, String volume, String chunk) {
    return table.series(
        quantity,
        Map.of(
            WriteSizeBlockTable.VOLUME,
            volume,
            WriteSizeBlockTable.STATE,
            WriteSizeBlockTable.words(State.OVERWRITE_COLD),
            WriteSizeBlockTable.WAY,
            WriteSizeBlockTable.words(Way.PLAIN),
            WriteSizeBlockTable.CHUNK,
            chunk));
  }
}
