package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ShipKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations that are longer than anybody waits, wherever one can be given. */
class LongDurationsTest {
  private static final List<String> TOO_LONG =
      List.of("36501d", "876001h", "999999d", "99999999999d", "9223372036854775807d");

  @TempDir private Path directory;

  @BeforeEach
  void makeAFile() throws IOException {
    Files.createDirectory(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
    Files.writeString(directory.resolve("c.yaml"), "sources: logs\ndestination: archive\n");
  }

  private Trial run(String command, String... more) {
    List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
    words.addAll(Arrays.asList(more));
    return Trial.run(directory, words.toArray(String[]::new));
  }

  private static void assertRefused(String text, Trial trial) {
    assertEquals(2, trial.exitCode(), () -> text + ": " + trial);
    assertTrue(trial.err().contains("at most 36500d"), () -> text + ": " + trial);
    assertFalse(trial.err().contains("Exception"), () -> text + ": " + trial);
  }

  private static Stream<String> shipOptions() {
    return Stream.of(
            ShipKey.MAX_AT_RISK,
            ShipKey.MAX_AGE,
            ShipKey.DRAIN_DEADLINE,
            ShipKey.KEEP_REVISIONS,
            ShipKey.RECONCILE,
            ShipKey.DELETED_GRACE)
        .map(ShipKey::option);
  }

  @Test
  void everySettingThatIsADurationIsTried() {
    List<String> tried = shipOptions().toList();
    for (ShipKey key : ShipKey.values()) {
      if (key.placeholder().contains("DURATION")) {
        assertTrue(tried.contains(key.option()), key.option());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shipOptions")
  void shipRefusesADurationAboveAHundredYearsAndWorksWithOneBelow(String option) {
    String ship = "ship --once --state s " + option;
    TOO_LONG.forEach(text -> assertRefused(text, run(ship, text, "logs", "archive")));
    for (String text : List.of("0s", "1ms", "36500d")) {
      Trial trial = run(ship, text, "logs", "archive");
      assertFalse(trial.err().contains("Exception"), trial.err());
      assertTrue(trial.exitCode() == 0 || trial.exitCode() == 2, trial::toString);
    }
    assertEquals(0, run(ship, "36500d", "logs", "archive").exitCode());
  }

  @ParameterizedTest
  @Timeout(
      value = 60,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // One would go on for years.
  @ValueSource(
      strings = {
        "status --state s --wait logs/a.log --timeout",
        "status --state s --timeout",
        "compact archive --older",
        "compact archive --keep-revisions",
        "rehearse logs archive --warm-up",
        "rehearse logs archive --notice",
        "rehearse logs archive --outage",
        "estimate c.yaml --measure",
        "store bench logs --duration"
      })
  void commandsRefuseADurationAboveAHundredYears(String command) {
    TOO_LONG.forEach(text -> assertRefused(text, run(command, text)));
  }

  @Test
  void aHundredYearsCanBeWaited() {
    assertEquals(0, run("ship --once --state s logs archive").exitCode());
    Trial status = run("status --state s --wait --timeout 36500d logs/a.log");
    assertEquals(0, status.exitCode(), status::toString);
    Trial compact = run("compact archive --older 36500d --keep-revisions 36500d");
    assertEquals(0, compact.exitCode(), compact::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notices: {http: 'http://localhost/', every: %s}",
        "notices: {http: 'http://localhost/', limit: %s}",
        "notices: {file: x, every: %s}",
        "notices: {command: x, limit: %s}",
        "hooks: {on_hurry: {command: x, limit: %s}}",
        "max_at_risk: {age: %s}",
        "drain_deadline: %s"
      })
  void theConfigurationFileRefusesADurationAboveAHundredYears(String line) throws IOException {
    for (String text : TOO_LONG) {
      Files.writeString(
          directory.resolve("c.yaml"),
          "sources: logs\ndestination: archive\n" + line.formatted(text) + "\n");
      assertRefused(text, run("check c.yaml"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ship --once --state s logs archive --max-at-risk",
        "ship --once --state s logs archive --bandwidth",
        "ship --once --state s logs archive --segment-size",
        "ship --once --state s logs archive --merge-to",
        "ship --once --state s logs archive --workers",
        "rehearse logs archive --rate",
        "rehearse logs archive --files",
        "probe archive --throughput",
        "estimate c.yaml --rate",
        "store bench logs --value-size",
        "store bench logs --entries",
        "compact archive --level",
        "ls archive --jobs"
      })
  void sizesAndCountsThatDoNotFitANumberAreRefused(String command) {
    for (String text :
        List.of(
            "99999999999TiB", "99999999999GiB", "9223372036854775807B", "99999999999999999999")) {
      Trial trial = run(command, text);
      assertEquals(2, trial.exitCode(), () -> text + ": " + trial);
      assertFalse(trial.err().contains("Exception"), () -> text + ": " + trial);
    }
  }
}
