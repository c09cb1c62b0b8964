package dev.tailwater.lab.memory;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of {@code copy}. Article 004 has ratios but no figures. */
final class CopyTables {
  static final String COPY = "Copying";
  static final String POLLUTION = "What copying costs others";
  static final String WAY = "way";
  static final String SIZE = "size";
  static final String TARGET = "target";
  static final String VICTIM = "who";
  static final String WORKING_SET = "working set";
  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");
  static final Quantity LATENCY = Quantity.less("time for a line of memory", "ns");

  private CopyTables() {}

  /** Builds the table from the microseconds of a copy. */
  static ResultTable copy(Map<CopyVariant, Series> micros) {
    List<Row> rows = new ArrayList<>();
    micros.forEach(
        (variant, series) ->
            rows.add(
                Row.of(
                    List.of(
                        variant.way().toString(),
                        Figures.size(variant.sizeBytes()),
                        variant.targetInWords()),
                    List.of(megabytesPerSecond(variant.sizeBytes(), series)),
                    Double.NaN)));
    return new ResultTable(COPY, List.of(WAY, SIZE, TARGET), List.of(THROUGHPUT), rows);
  }

  /** Converts microseconds to MB/s: a byte per microsecond is a megabyte per second. */
  private static Series megabytesPerSecond(int bytes, Series micros) {
    return new Series(micros.samples().stream().map(sample -> bytes / sample).toList());
  }

  /** Builds the table from the microseconds of a walk through the working set. */
  static ResultTable pollution(Map<PollutionVariant, Series> micros) {
    List<Row> rows = new ArrayList<>();
    micros.forEach(
        (variant, series) ->
            rows.add(
                Row.of(
                    List.of(
                        variant.victim().toString(),
                        Figures.size(variant.workingSetBytes()),
                        variant.copierInWords()),
                    List.of(series.times(variant.nanosPerMicroOfWalk())),
                    Double.NaN)));
    return new ResultTable(POLLUTION, List.of(VICTIM, WORKING_SET, WAY), List.of(LATENCY), rows);
  }
}
