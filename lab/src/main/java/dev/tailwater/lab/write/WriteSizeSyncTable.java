package dev.tailwater.lab.write;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;

/**
 * The table of {@code write-size-sync}. Article 000 copied 100 MB (dd's, 2²⁰ bytes each) in 36 857,
 * 18 452 and 7 888 ms in pieces of 8, 64 and 128 KiB, and in 407 ms in pieces of 8 KiB onto a mount
 * without {@code noac}; for 1 MB it counted 128 WRITEs at 8 KiB and 8 at 128 KiB.
 */
final class WriteSizeSyncTable {
  static final String TITLE = "Copies onto a synchronous mount";
  static final String SYNCHRONOUS = "synchronous";
  static final String NOT_SYNCHRONOUS = "NFS, not synchronous";
  static final String STAND_IN = "stand-in";
  static final String USUAL = "the directory";
  static final List<String> PARAMETERS = List.of("mount", "way", "size");
  static final Quantity REQUESTS = Quantity.less("WRITE requests", "per MiB");
  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");

  private static final double ARTICLE_BYTES = 100 << 20;

  private static final Map<List<String>, Double> ARTICLE_MILLIS =
      Map.of(
          List.of(SYNCHRONOUS, SyncWay.STREAM, "8 KiB"), 36_857.0,
          List.of(SYNCHRONOUS, SyncWay.STREAM, "64 KiB"), 18_452.0,
          List.of(SYNCHRONOUS, SyncWay.STREAM, "128 KiB"), 7_888.0,
          List.of(USUAL, SyncWay.STREAM, "8 KiB"), 407.0);

  private static final Map<List<String>, Double> ARTICLE_REQUESTS =
      Map.of(
          List.of(SyncWay.STREAM, "8 KiB"), 128.0,
          List.of(SyncWay.STREAM, "128 KiB"), 8.0);

  private WriteSizeSyncTable() {}

  /** Builds the table in the order of the measurements. */
  static ResultTable of(Map<List<String>, List<Series>> measured) {
    List<Row> rows =
        measured.entrySet().stream()
            .map(
                entry ->
                    Row.of(
                        entry.getKey(),
                        entry.getValue(),
                        articleRequests(entry.getKey()),
                        articleThroughput(entry.getKey())))
            .toList();
    return new ResultTable(TITLE, PARAMETERS, List.of(REQUESTS, THROUGHPUT), rows);
  }

  /**
   * Returns the article's requests for the parameters. A stand-in makes the same requests, but the
   * lab chooses its delay.
   */
  private static double articleRequests(List<String> parameters) {
    boolean counted = List.of(SYNCHRONOUS, STAND_IN).contains(parameters.getFirst());
    return counted
        ? ARTICLE_REQUESTS.getOrDefault(parameters.subList(1, 3), Double.NaN)
        : Double.NaN;
  }

  private static double articleThroughput(List<String> parameters) {
    return ARTICLE_BYTES / 1e3 / ARTICLE_MILLIS.getOrDefault(parameters, Double.NaN);
  }

  /** Returns the number of measured rounds. */
  static int rounds(ResultTable table) {
    return table.rows().getFirst().measured().getLast().orElseThrow().samples().size();
  }
}
