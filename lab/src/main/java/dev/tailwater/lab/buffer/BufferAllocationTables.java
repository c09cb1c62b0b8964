package dev.tailwater.lab.buffer;

import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of {@code buffer-allocation}, with the figures of article 002 (JDK 8, 2015). */
final class BufferAllocationTables {
  static final String ALLOCATION = "Buffers allocated a second";
  static final String STRESS = "Threads that take 10 MiB buffers all the time";
  static final String CURVE = "Resident memory over time";
  static final String WAY = "way";
  static final String SIZE = "size";
  static final String THREADS = "threads";
  static final String TIME = "milliseconds";

  static final Quantity BUFFERS = Quantity.more("buffers a second", "1/s");
  static final Quantity GROWN = Quantity.less("resident memory grew by", "MiB");
  static final Quantity FAILED = Quantity.less("ended by OutOfMemoryError", "of 1");
  static final Quantity RESIDENT = Quantity.less("resident", "MiB");

  private static final int CURVE_POINTS = 20;
  private static final double NOTHING = Double.NaN;

  private static final Map<Integer, Double> ARTICLE_HEAP =
      Map.of(
          8,
          2_018_841.709,
          16,
          1_096_969.848,
          32,
          547_637.302,
          64,
          266_632.138,
          128,
          69_412.152,
          256,
          33_852.752,
          512,
          28_651.80,
          1024,
          14_013.506);
  private static final Map<Integer, Double> ARTICLE_DIRECT =
      Map.of(
          8,
          183_090.216,
          16,
          93_116.245,
          32,
          47_854.178,
          64,
          22_689.129,
          128,
          10_988.465,
          256,
          5_536.21,
          512,
          2_897.219,
          1024,
          1_574.254);

  /** A variant of the allocation. */
  record Allocation(BufferWay way, int sizeBytes) {
    @Override
    public String toString() {
      return way + ", " + Figures.size(sizeBytes);
    }
  }

  /** A variant of the stress. */
  record Stressed(BufferWay way, int threads) {}

  private BufferAllocationTables() {}

  static ResultTable allocation(Map<Allocation, Series> buffersPerSecond) {
    List<Row> rows = new ArrayList<>();
    buffersPerSecond.forEach(
        (what, series) ->
            rows.add(
                Row.of(
                    List.of(what.way().toString(), Figures.size(what.sizeBytes())),
                    List.of(series),
                    article(what))));
    return new ResultTable(ALLOCATION, List.of(WAY, SIZE), List.of(BUFFERS), rows);
  }

  private static double article(Allocation what) {
    int kibibytes = what.sizeBytes() / 1024;
    return switch (what.way()) {
      case HEAP -> ARTICLE_HEAP.getOrDefault(kibibytes, NOTHING);
      case DIRECT -> ARTICLE_DIRECT.getOrDefault(kibibytes, NOTHING);
      case ARENA, SHARED_ARENA, POOL -> NOTHING;
    };
  }

  static ResultTable stress(Map<Stressed, List<BufferStress>> runs) {
    List<Row> rows = new ArrayList<>();
    runs.forEach(
        (what, stress) ->
            rows.add(
                Row.of(
                    List.of(what.way().toString(), Integer.toString(what.threads())),
                    List.of(
                        series(stress.stream().map(BufferStress::buffersPerSecond).toList()),
                        series(stress.stream().map(BufferStress::grownMebibytes).toList()),
                        series(stress.stream().map(run -> run.outOfMemory() ? 1.0 : 0).toList())),
                    NOTHING,
                    NOTHING,
                    // The article's program ended this way with two threads.
                    what.way() == BufferWay.DIRECT && what.threads() == 2 ? 1 : NOTHING)));
    return new ResultTable(STRESS, List.of(WAY, THREADS), List.of(BUFFERS, GROWN, FAILED), rows);
  }

  /** Builds the table for the fewest threads: each way's median at the same moments. */
  static ResultTable curve(Map<Stressed, List<BufferStress>> runs, int millis) {
    int threads = runs.keySet().stream().mapToInt(Stressed::threads).min().orElseThrow();
    List<Row> rows = new ArrayList<>();
    runs.forEach(
        (what, stress) -> {
          for (int point = 0; what.threads() == threads && point <= CURVE_POINTS; point++) {
            int at = point * millis / CURVE_POINTS;
            rows.add(
                Row.of(
                    List.of(what.way().toString(), Integer.toString(at)),
                    List.of(
                        series(stress.stream().map(run -> run.residentMebibytesAt(at)).toList())),
                    NOTHING));
          }
        });
    return new ResultTable(CURVE, List.of(WAY, TIME), List.of(RESIDENT), rows);
  }

  private static Series series(List<Double> samples) {
    return new Series(samples);
  }
}
