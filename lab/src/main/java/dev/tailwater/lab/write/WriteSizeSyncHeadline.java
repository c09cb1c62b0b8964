package dev.tailwater.lab.write;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code write-size-sync}: requests, which are counted on any machine. */
final class WriteSizeSyncHeadline {
  private static final String ARTICLE =
      "128 requests for each MB in writes of 8 KiB, and 8 in writes of 128 KiB";

  private WriteSizeSyncHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(WriteSizeSyncTable.TITLE, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(WriteSizeSyncHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    String mount = table.rows().getFirst().parameters().getFirst();
    List<String> sizes =
        table.values("size").stream().filter(size -> !size.equals(SyncWay.OWN_SIZE)).toList();
    if (sizes.isEmpty()) {
      return Optional.empty();
    }
    Optional<Series> small = requests(table, mount, SyncWay.STREAM, sizes.getFirst());
    Optional<Series> large = requests(table, mount, SyncWay.STREAM, sizes.getLast());
    Optional<Series> ours = requests(table, mount, SyncWay.BLOCK_WRITER, sizes.getFirst());
    if (small.isEmpty() || large.isEmpty() || ours.isEmpty()) {
      return Optional.empty();
    }
    String text =
        "%s: %s makes %s requests for each MiB in writes of %s and %s in writes of %s; %s makes %s in writes of any size."
            .formatted(
                small.get().median() > large.get().median()
                    ? "As large as one request can carry"
                    : "Their size makes no difference",
                SyncWay.STREAM,
                text(small.get()),
                sizes.getFirst(),
                text(large.get()),
                sizes.getLast(),
                SyncWay.BLOCK_WRITER,
                text(ours.get()));
    Plot plot =
        new Plot(
            "WRITE requests for each MiB, by size of a write; mount: " + mount,
            WriteSizeSyncTable.TITLE,
            WriteSizeSyncTable.REQUESTS.name(),
            "size",
            "way",
            Map.of("mount", mount),
            Plot.Shape.BARS,
            true);
    return Optional.of(new Headline(PlotData.of(plot, table), Conclusion.shown(text), ARTICLE));
  }

  private static Optional<Series> requests(
      ResultTable table, String mount, String way, String size) {
    return table.series(
        WriteSizeSyncTable.REQUESTS.name(), Map.of("mount", mount, "way", way, "size", size));
  }

  private static String text(Series series) {
    return Figures.text(series.median());
  }
}
