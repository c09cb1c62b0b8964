package dev.tailwater.lab.buffer;

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

/** The answer of {@code buffer-allocation}: direct and heap buffers, and a pool. */
final class BufferAllocationHeadline {
  private static final String ARTICLE =
      "direct buffers cost 9 to 12 times what heap buffers cost, and two threads that dropped them"
          + " ran out of memory";

  private BufferAllocationHeadline() {}

  static Optional<Headline> of(List<ResultTable> tables) {
    return ResultTable.titled(BufferAllocationTables.ALLOCATION, tables)
        .filter(table -> !table.rows().isEmpty())
        .flatMap(table -> of(table, ResultTable.titled(BufferAllocationTables.STRESS, tables)));
  }

  private static Optional<Headline> of(ResultTable table, Optional<ResultTable> stress) {
    String size = table.values(BufferAllocationTables.SIZE).getLast();
    Optional<Series> heap = buffers(table, BufferWay.HEAP, size);
    Optional<Series> direct = buffers(table, BufferWay.DIRECT, size);
    if (heap.isEmpty() || direct.isEmpty()) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.of(heap.get(), direct.get());
    String cost =
        switch (comparison.certainty()) {
          case SHOWN ->
              "A direct buffer of %s costs %s × one on the heap"
                  .formatted(size, Figures.text(comparison.ratio()));
          case NO_DIFFERENCE ->
              "A direct buffer of %s costs as much as one on the heap".formatted(size);
          case TOO_NOISY ->
              "Too noisy to tell whether a direct buffer of %s costs more than one on the heap"
                  .formatted(size);
        };
    Plot plot =
        new Plot(
            "Buffers that are allocated in a second, by size",
            BufferAllocationTables.ALLOCATION,
            BufferAllocationTables.BUFFERS.name(),
            BufferAllocationTables.SIZE,
            BufferAllocationTables.WAY,
            Map.of(),
            Plot.Shape.BARS,
            true);
    return Optional.of(
        new Headline(
            PlotData.of(plot, table),
            new Conclusion(comparison.certainty(), cost + grown(stress) + "."),
            ARTICLE));
  }

  /** Says how late the memory of dropped direct buffers is given back. */
  private static String grown(Optional<ResultTable> stress) {
    return stress
        .flatMap(
            table ->
                table.series(
                    BufferAllocationTables.GROWN.name(),
                    Map.of(
                        BufferAllocationTables.WAY,
                        BufferWay.DIRECT.toString(),
                        BufferAllocationTables.THREADS,
                        "2")))
        .map(
            series ->
                "; memory grew by %s MiB where 20 MiB of them were in use"
                    .formatted(Figures.text(series.median())))
        .orElse("");
  }

  private static Optional<Series> buffers(ResultTable table, BufferWay way, String size) {
    return table.series(
        BufferAllocationTables.BUFFERS.name(),
        Map.of(BufferAllocationTables.WAY, way.toString(), BufferAllocationTables.SIZE, size));
  }
}
