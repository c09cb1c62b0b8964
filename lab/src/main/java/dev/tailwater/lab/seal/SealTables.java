package dev.tailwater.lab.seal;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of {@code seal}. */
final class SealTables {
  static final String SEALING = "Sealing by one thread";
  static final String UPLINKS = "What comes through an uplink";
  static final String CODEC = "codec";
  static final String ENCRYPTION = "encryption";
  static final String UPLINK = "uplink";
  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");
  static final Quantity RATIO = Quantity.more("ratio", "×");
  static final Quantity PROCESSOR = Quantity.less("processor time", "s/GiB");
  static final Quantity DELIVERED = Quantity.more("delivered", "MB/s");

  private static final double MEGABYTES_IN_GIBIBYTE = (1L << 30) / 1e6;
  private static final double[] NO_ARTICLE = {Double.NaN, Double.NaN, Double.NaN};

  private SealTables() {}

  /** Builds the table of throughput, ratio and processor time. */
  static ResultTable sealing(Map<SealVariant, List<Series>> measured) {
    List<Row> rows = new ArrayList<>();
    measured.forEach(
        (variant, series) ->
            rows.add(
                Row.of(List.of(variant.codec(), variant.encryptionInWords()), series, NO_ARTICLE)));
    return new ResultTable(
        SEALING, List.of(CODEC, ENCRYPTION), List.of(THROUGHPUT, RATIO, PROCESSOR), rows);
  }

  /**
   * Builds the table of delivery rates, in bytes of files. One processor seals while the bytes that
   * it sealed before are sent, so the slower of the two sets the rate. Sealing counts by processor
   * time, so that other programs on this host do not matter.
   */
  static ResultTable uplinks(Map<SealVariant, List<Series>> measured) {
    List<Row> rows = new ArrayList<>();
    for (Uplink uplink : Uplink.values()) {
      measured.forEach(
          (variant, series) -> {
            if (!variant.encrypted()) {
              double ratio = series.get(1).median();
              rows.add(
                  Row.of(
                      List.of(uplink.toString(), variant.codec()),
                      List.of(delivered(series.getLast(), uplink.megabytesPerSecond() * ratio)),
                      Double.NaN));
            }
          });
    }
    return new ResultTable(UPLINKS, List.of(UPLINK, CODEC), List.of(DELIVERED), rows);
  }

  private static Series delivered(Series secondsForGibibyte, double sentMegabytesPerSecond) {
    return new Series(
        secondsForGibibyte.samples().stream()
            .map(seconds -> Math.min(MEGABYTES_IN_GIBIBYTE / seconds, sentMegabytesPerSecond))
            .toList());
  }
}
