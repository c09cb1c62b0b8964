package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.destination.DestinationOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The guide lists the options that there are; {@code -Dtailwater.reference=write} writes the list
 * anew.
 */
class HdfsGuideTest {
  private static final Path GUIDE =
      Path.of(System.getProperty("tailwater.root", ".."), "docs", "guide", "hdfs.md");
  private static final String BEGIN =
      "<!-- options: made from HdfsOption; HdfsGuideTest fails when stale -->\n";
  private static final String END = "<!-- end of options -->\n";

  @Test
  void theGuideListsEveryOption() throws IOException {
    StringBuilder table =
        new StringBuilder(
            "| option | value | when not given | meaning |\n| --- | --- | --- | --- |\n");
    for (DestinationOption option : new HdfsProvider().options()) {
      table
          .append("| `%s` | ".formatted(option.name()))
          .append(option.placeholder().replace("|", " or "))
          .append(" | %s | %s |\n".formatted(option.standard(), option.meaning()));
    }
    String guide = Files.readString(GUIDE);
    int from = guide.indexOf(BEGIN) + BEGIN.length();
    int to = guide.indexOf(END);
    if (System.getProperty("tailwater.reference", "").equals("write")) {
      Files.writeString(GUIDE, guide.substring(0, from) + table + guide.substring(to));
      return;
    }
    assertEquals(table.toString(), guide.substring(from, to));
  }
}
