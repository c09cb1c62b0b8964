package dev.tailwater.lab.read;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table of {@code read-path}. Article 004 read 5.5 GB, hot: in 0.72 s by the critical read and
 * by a streaming copy out of a mapping, and in 0.82 s with mmap and munmap. It does not say in what
 * pieces, so its figures are in the rows of the largest files.
 */
final class ReadPathTable {
  static final String TITLE = "Reading a file as a whole";
  static final String WAY = "way";
  static final String SIZE = "size";
  static final String CACHE = "page cache";
  static final String HOT = "hot";
  static final String COLD = "cold";

  /** The value in place of a method for a collection during which nothing is read. */
  static final String NOBODY = "no reader";

  static final String NONE = "-";

  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");
  static final Quantity FAULTS = Quantity.less("page faults", "per MiB");
  static final Quantity COLLECTION = Quantity.less("collection time", "ms");

  private static final Map<String, Double> ARTICLE_MEGABYTES_PER_SECOND =
      Map.of(
          ReadWay.CRITICAL, 5_500 / 0.72,
          ReadWay.KEPT_STREAMING, 5_500 / 0.72,
          ReadWay.MAPPED_STREAMING, 5_500 / 0.82);

  /** One variant. */
  record Variant(String way, String size, String cache) {}

  private ReadPathTable() {}

  /**
   * Builds the table in the order of the measurements.
   *
   * @param largest the size of the files whose rows show the article's figures
   */
  static ResultTable of(Map<Variant, List<Series>> measured, String largest) {
    List<Row> rows =
        measured.entrySet().stream()
            .map(
                entry ->
                    Row.of(
                        List.of(
                            entry.getKey().way(), entry.getKey().size(), entry.getKey().cache()),
                        entry.getValue(),
                        article(entry.getKey(), largest),
                        Double.NaN,
                        Double.NaN))
            .toList();
    return new ResultTable(
        TITLE, List.of(WAY, SIZE, CACHE), List.of(THROUGHPUT, FAULTS, COLLECTION), rows);
  }

  private static double article(Variant variant, String largest) {
    return variant.size().equals(largest) && variant.cache().equals(HOT)
        ? ARTICLE_MEGABYTES_PER_SECOND.getOrDefault(variant.way(), Double.NaN)
        : Double.NaN;
  }

  /** Returns the variant of one row. */
  static Optional<Contender> contender(ResultTable table, Quantity quantity, Variant variant) {
    return Contender.of(
        "%s, %s, %s".formatted(variant.way(), variant.size(), variant.cache()),
        table,
        quantity.name(),
        Map.of(WAY, variant.way(), SIZE, variant.size(), CACHE, variant.cache()));
  }
}
