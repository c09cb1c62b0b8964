package dev.tailwater.lab.read;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Ranking;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code read-path}: the largest of the files, from the page cache. */
final class ReadPathHeadline {
  private static final String ARTICLE =
      "5.5 GB in 0.72 s by critical reads, which were 25 % faster than the JDK's ways, and in 0.82 s"
          + " with mmap and munmap";

  private ReadPathHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(ReadPathTable.TITLE, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(ReadPathHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    List<String> sizes =
        table.values(ReadPathTable.SIZE).stream()
            .filter(size -> !size.equals(ReadPathTable.NONE))
            .toList();
    if (sizes.isEmpty()) {
      return Optional.empty();
    }
    String largest = sizes.getLast();
    List<Contender> contenders =
        table.values(ReadPathTable.WAY).stream()
            .flatMap(way -> contender(table, way, largest).stream())
            .toList();
    Plot plot =
        new Plot(
            "Throughput of reading " + largest + " that are cached",
            ReadPathTable.TITLE,
            ReadPathTable.THROUGHPUT.name(),
            ReadPathTable.WAY,
            "",
            Map.of(ReadPathTable.SIZE, largest, ReadPathTable.CACHE, ReadPathTable.HOT),
            Plot.Shape.BARS,
            false);
    return Ranking.of(ReadPathTable.THROUGHPUT, contenders)
        .map(
            ranking ->
                new Headline(
                    PlotData.of(plot, table),
                    ranking.conclusion(
                        "for " + largest + " that are cached",
                        contender(table, ReadWay.STREAM, largest)),
                    ARTICLE));
  }

  private static Optional<Contender> contender(ResultTable table, String way, String size) {
    return Contender.of(
        way,
        table,
        ReadPathTable.THROUGHPUT.name(),
        Map.of(
            ReadPathTable.WAY,
            way,
            ReadPathTable.SIZE,
            size,
            ReadPathTable.CACHE,
            ReadPathTable.HOT));
  }
}
