package dev.tailwater.io.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that shrink while they are mapped and looked at, in another JVM, which must live:
 * interpreted, compiled by C1, and compiled by C2.
 */
final class TruncatedMappingTest {
  @TempDir Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "interpreted, -Xint, 1",
    "C1, -XX:TieredStopAtLevel=1, 300",
    "C2, -XX:-TieredCompilation, 600"
  })
  void everyAccessBehindTheEndIsAnExceptionAndTheJvmLives(String name, String option, int rounds)
      throws Exception {
    try (ChildJvm child =
        ChildJvm.start(
            List.of(option, "-XX:+UseSerialGC"),
            TruncatedMapping.class,
            directory.resolve("mapped").toString(),
            String.valueOf(rounds))) {
      assertEquals(List.of("alive", "exit code 0"), child.end(), name);
    }
  }
}
