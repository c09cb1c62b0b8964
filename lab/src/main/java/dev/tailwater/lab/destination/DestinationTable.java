package dev.tailwater.lab.destination;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table of {@code destination}. */
final class DestinationTable {
  static final String TITLE = "Puts";
  static final String SIZE = "segment";
  static final String PARALLEL = "puts at a time";
  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");
  static final Quantity LATENCY = Quantity.less("time of a put", "ms");
  static final Quantity LONGEST = Quantity.less("longest put", "ms");

  private static final double NOTHING = Double.NaN;

  /** A variant: puts of one size, so many at the same time. */
  record Puts(int sizeBytes, int parallel) {}

  private DestinationTable() {}

  static ResultTable of(Map<Puts, List<Series>> measured) {
    List<Row> rows = new ArrayList<>();
    measured.forEach(
        (puts, series) ->
            rows.add(
                Row.of(
                    List.of(Figures.size(puts.sizeBytes()), Integer.toString(puts.parallel())),
                    series,
                    NOTHING,
                    NOTHING,
                    NOTHING)));
    return new ResultTable(
        TITLE, List.of(SIZE, PARALLEL), List.of(THROUGHPUT, LATENCY, LONGEST), rows);
  }
}
