package dev.tailwater.destination.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationOption;
import dev.tailwater.destination.DestinationProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The table of a destination's options in a guide written in Markdown, between the lines {@code
 * <!-- options: made from the code; a test fails when stale -->} and {@code <!-- end of options
 * -->}. Stateless.
 */
public final class OptionTable {
  private static final String BEGIN =
      "<!-- options: made from the code; a test fails when stale -->\n";
  private static final String END = "<!-- end of options -->\n";

  private OptionTable() {}

  /**
   * Fails unless the guide lists the provider's options; with the system property {@code
   * tailwater.reference=write}, it rewrites the list instead.
   */
  public static void assertCurrent(Path guide, DestinationProvider provider) throws IOException {
    String text = Files.readString(guide);
    int begin = text.indexOf(BEGIN);
    int to = text.indexOf(END);
    assertTrue(begin >= 0 && begin < to, guide + " has no place for the options");
    int from = begin + BEGIN.length();
    String table = table(provider);
    if (System.getProperty("tailwater.reference", "").equals("write")) {
      Files.writeString(guide, text.substring(0, from) + table + text.substring(to));
    } else {
      assertEquals(table, text.substring(from, to));
    }
  }

  private static String table(DestinationProvider provider) {
    StringBuilder table =
        new StringBuilder(
            "| option | value | when not given | meaning |\n| --- | --- | --- | --- |\n");
    for (DestinationOption option : provider.options()) {
      table
          .append("| `%s` | ".formatted(option.name()))
          .append(option.placeholder().replace("|", " or "))
          .append(" | %s | %s |\n".formatted(option.standard(), option.meaning()));
    }
    return table.toString();
  }
}
