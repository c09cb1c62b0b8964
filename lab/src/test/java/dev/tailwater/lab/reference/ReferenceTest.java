package dev.tailwater.lab.reference;

import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents say is what the code does. */
class ReferenceTest {
  private static final Path DIRECTORY = Path.of("..", "docs", "reference");

  @Test
  void theReferenceIsUpToDate() throws IOException {
    boolean write = "write".equals(System.getProperty("tailwater.reference"));
    for (Map.Entry<String, String> page : ReferencePages.all().entrySet()) {
      Path file = DIRECTORY.resolve(page.getKey());
      if (write) {
        Files.createDirectories(DIRECTORY);
        Files.writeString(file, page.getValue());
      }
      assertTrue(Files.exists(file), file + " is missing: its first lines say how it is made");
      assertLinesMatch(
          page.getValue().lines().map(Pattern::quote).toList(),
          Files.readAllLines(file),
          file + " is stale: its first lines say how it is made");
    }
  }
}
