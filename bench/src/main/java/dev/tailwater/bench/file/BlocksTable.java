package dev.tailwater.bench.file;

import dev.tailwater.bench.run.Samples;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The figures of {@code bench blocks} as a Markdown table, next to those of article 001. */
final class BlocksTable {
  private static final int ARTICLE_MEBIBYTES = 128;
  private static final Map<String, String> ARTICLE =
      Map.of(
          "ext4, 4 KiB blocks APPEND", "4096: 104, 6144: 105, 8192: 83",
          "ext4, 4 KiB blocks OVERWRITE_COLD", "4096: 69, 6144: 1646, 8192: 59",
          "ext4, 4 KiB blocks OVERWRITE_WARM", "4096: 53, 6144: 51, 8192: 41",
          "ext4, 2 KiB blocks APPEND", "4096: 117, 6144: 102, 8192: 93",
          "ext4, 2 KiB blocks OVERWRITE_COLD", "4096: 75, 6144: 66, 8192: 55",
          "ext4, 2 KiB blocks OVERWRITE_WARM", "4096: 75, 6144: 66, 8192: 57");

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder durable = new StringBuilder();

  BlocksTable(int mebibytes) {
    text.append("Medians for ")
        .append(mebibytes)
        .append(" MiB; the article's for ")
        .append(ARTICLE_MEBIBYTES)
        .append(" MiB. Per chunk: milliseconds (ratio to 8192, of processor time; disk reads)\n\n")
        .append("| file system | case | way | 1000 | 2048 | 4096 | 6144 | 8192 | article, ms |\n")
        .append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  }

  void row(
      String title,
      State state,
      Way way,
      Map<Integer, Samples> millis,
      Map<Integer, Samples> ratios,
      Map<Integer, Samples> processor,
      Map<Integer, Samples> reads) {
    text.append("| ").append(title).append(" | ").append(words(state)).append(" | ");
    text.append(words(way));
    millis.forEach(
        (chunk, samples) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    " | %.1f (%.2f, %.2f; %.0f)",
                    samples.median(),
                    Objects.requireNonNull(ratios.get(chunk)).median(),
                    Objects.requireNonNull(processor.get(chunk)).median(),
                    Objects.requireNonNull(reads.get(chunk)).median())));
    String article = way == Way.PLAIN ? ARTICLE.getOrDefault(title + " " + state, "") : "";
    text.append(" | ").append(article).append(" |\n");
  }

  void durable(String title, Map<Way, Samples> millis) {
    if (durable.isEmpty()) {
      durable.append("\nUntil durable, appended in chunks of 8192, ms\n\n| file system |");
      millis.keySet().forEach(way -> durable.append(' ').append(words(way)).append(" |"));
      durable.append("\n|").append(" --- |".repeat(millis.size() + 1)).append('\n');
    }
    durable.append("| ").append(title).append(" |");
    millis
        .values()
        .forEach(
            samples -> durable.append(String.format(Locale.ROOT, " %.0f |", samples.median())));
    durable.append('\n');
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public String toString() {
    return text.toString() + durable;
  }
}
