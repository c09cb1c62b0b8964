package dev.tailwater.lab.buffer;

import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Ranking;
import dev.tailwater.lab.plot.PlotData;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code typed-read}: ints through a buffer of the size that is enough. */
final class TypedReadHeadline {
  private static final String ARTICLE =
      "little-endian ints through 256 KiB: direct 363 and heap 164 files a second; streams 22, and"
          + " 0.077 without a buffer";
  private static final String BUFFER = "256 KiB";

  private TypedReadHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(TypedReadTable.TITLE, tables).flatMap(TypedReadHeadline::of);
  }

  private static Optional<Headline> of(ResultTable table) {
    List<Contender> little =
        table.values(TypedReadTable.WAY).stream()
            .flatMap(way -> contender(table, way).stream())
            .toList();
    Plot plot =
        new Plot(
            "Files of 10 MiB of ints that are read in a second",
            TypedReadTable.TITLE,
            TypedReadTable.FILES.name(),
            TypedReadTable.WAY,
            TypedReadTable.ORDER,
            Map.of(TypedReadTable.TYPE, "int", TypedReadTable.BUFFER, BUFFER),
            Plot.Shape.BARS,
            true);
    return Ranking.of(TypedReadTable.FILES, little)
        .map(
            ranking ->
                new Headline(
                    PlotData.of(plot, table),
                    ranking.conclusion(
                        "for little-endian ints",
                        contender(table, TypedReadVariant.Way.DIRECT.toString())),
                    ARTICLE));
  }

  private static Optional<Contender> contender(ResultTable table, String way) {
    return Contender.of(
        way,
        table,
        TypedReadTable.FILES.name(),
        Map.of(
            TypedReadTable.WAY,
            way,
            TypedReadTable.TYPE,
            "int",
            TypedReadTable.ORDER,
            TypedReadVariant.Order.LITTLE.toString(),
            TypedReadTable.BUFFER,
            BUFFER));
  }
}
