package dev.tailwater.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example configuration of the package shows every setting, and is right. */
class ExampleConfigurationTest {
  private static final Path EXAMPLE = Path.of("src", "main", "dist", "conf", "tailwater.yaml");

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
