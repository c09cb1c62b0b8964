package dev.tailwater.cli.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ShipKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents say is what the code does. */
class ReferenceTest {
  private static final Path DIRECTORY = Path.of("..", "docs", "reference");
  private static final Path EXAMPLE = Path.of("src", "main", "dist", "conf", "tailwater.yaml");

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

  @Test
  void theExampleConfigurationHasNoProblems() throws IOException {
    String example = Files.readString(EXAMPLE);
    assertEquals(List.of(), ConfigFile.read(example, Path.of("/etc")).problems());
  }

  @Test
  void theExampleConfigurationShowsEveryKeyWithItsDefault() throws IOException {
    String example = Files.readString(EXAMPLE);
    for (ShipKey key : ShipKey.values()) {
      String line = key.standard().map(value -> "#" + key.key() + ": " + value + "\n").orElse("");
      assertTrue(example.contains(key.key() + ":"), key.key() + " is not shown");
      assertTrue(example.contains(line), key.key() + " is shown with another default");
    }
  }

  @Test
  void theExampleConfigurationHasNoProblemsWithEverythingSwitchedOn() throws IOException {
    String example =
        Files.readString(EXAMPLE)
            .replaceAll("(?m)^#(?=[a-z_]+: |encrypt_to:|  - )", "")
            .replace("age1...", "recipients.txt");
    assertTrue(example.contains("\nencrypt_to:\n  - recipients.txt"), example);
    assertEquals(List.of(), ConfigFile.read(example, Path.of("/etc")).problems());
  }
}
