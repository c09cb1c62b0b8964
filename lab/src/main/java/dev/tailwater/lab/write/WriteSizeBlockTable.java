package dev.tailwater.lab.write;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.BlockFile.Measured;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The table of {@code write-size-block}. Article 001 wrote 128 MiB to ext4 and gives milliseconds
 * for chunks of 4096, 6144 and 8192 bytes; of 2048 it says that it was as bad as 6144.
 */
final class WriteSizeBlockTable {
  static final String TITLE = "Writes by size of chunk and block";
  static final String VOLUME = "file system";
  static final String STATE = "file";
  static final String WAY = "way";
  static final String CHUNK = "chunk";
  static final Quantity THROUGHPUT = Quantity.more("throughput", "MB/s");
  static final Quantity REQUESTS = Quantity.less("disk reads", "per MiB");
  static final Quantity READ = Quantity.less("read from disk", "KiB per MiB");

  private static final double ARTICLE_BYTES = 128 << 20;
  private static final double MEBIBYTE = 1 << 20;
  private static final double KIBIBYTE = 1 << 10;
  private static final List<Integer> ARTICLE_CHUNKS = List.of(4096, 6144, 8192);
  private static final Map<String, List<Integer>> ARTICLE_MILLIS =
      Map.of(
          "ext4, 4 KiB blocks APPEND", List.of(104, 105, 83),
          "ext4, 4 KiB blocks OVERWRITE_COLD", List.of(69, 1646, 59),
          "ext4, 4 KiB blocks OVERWRITE_WARM", List.of(53, 51, 41),
          "ext4, 2 KiB blocks APPEND", List.of(117, 102, 93),
          "ext4, 2 KiB blocks OVERWRITE_COLD", List.of(75, 66, 55),
          "ext4, 2 KiB blocks OVERWRITE_WARM", List.of(75, 66, 57));

  /**
   * One variant.
   *
   * @param kind of file system, in the article's words
   */
  record Variant(String volume, String kind, State state, Way way, int chunkBytes) {
    Map<String, String> wanted() {
      return Map.of(
          VOLUME, volume, STATE, words(state), WAY, words(way), CHUNK, String.valueOf(chunkBytes));
    }
  }

  private WriteSizeBlockTable() {}

  static String words(State state) {
    return switch (state) {
      case APPEND -> "append";
      case OVERWRITE_COLD -> "overwrite, cold";
      case OVERWRITE_WARM -> "overwrite, warm";
    };
  }

  static String words(Way way) {
    return switch (way) {
      case PLAIN -> "RandomAccessFile";
      case BLOCK_WRITER -> "BlockWriter";
      default -> "BlockWriter, " + way;
    };
  }

  /** Returns the quantities of one measurement. */
  static double[] quantities(Measured measured, long fileBytes) {
    return new double[] {
      fileBytes / 1e3 / measured.millis(),
      perMebibyte(measured.read().requests(), fileBytes),
      perMebibyte(measured.read().bytes(), fileBytes) / KIBIBYTE
    };
  }

  private static double perMebibyte(OptionalLong count, long fileBytes) {
    return count.isPresent() ? count.getAsLong() * MEBIBYTE / fileBytes : Double.NaN;
  }

  static ResultTable of(Map<Variant, List<Series>> measured) {
    List<Row> rows =
        measured.entrySet().stream()
            .map(
                entry -> {
                  Variant variant = entry.getKey();
                  return Row.of(
                      List.of(
                          variant.volume(),
                          words(variant.state()),
                          words(variant.way()),
                          String.valueOf(variant.chunkBytes())),
                      entry.getValue(),
                      article(variant),
                      Double.NaN,
                      Double.NaN);
                })
            .toList();
    return new ResultTable(
        TITLE, List.of(VOLUME, STATE, WAY, CHUNK), List.of(THROUGHPUT, REQUESTS, READ), rows);
  }

  private static double article(Variant variant) {
    int chunk = ARTICLE_CHUNKS.indexOf(variant.chunkBytes());
    String key = variant.kind() + " " + variant.state();
    return variant.way() == Way.PLAIN && chunk >= 0 && ARTICLE_MILLIS.containsKey(key)
        ? ARTICLE_BYTES / 1e3 / Objects.requireNonNull(ARTICLE_MILLIS.get(key)).get(chunk)
        : Double.NaN;
  }

  /** Returns a variant by its throughput. */
  static Optional<Contender> contender(ResultTable table, Variant variant) {
    String name =
        "%s in chunks of %d, %s"
            .formatted(words(variant.way()), variant.chunkBytes(), words(variant.state()));
    return Contender.of(name, table, THROUGHPUT.name(), variant.wanted());
  }
}
