package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailwater init}, from outside. */
class InitCommandTest {
  @TempDir private Path directory;

  @BeforeEach
  void writeLogs() throws IOException {
    Files.createDirectories(directory.resolve("app/logs"));
    Files.writeString(directory.resolve("app/logs/a.log"), "text\n".repeat(1000));
  }

  private Trial init(String... more) {
    List<String> arguments = new ArrayList<>(List.of("init", "--look", directory + "/app"));
    arguments.addAll(List.of(more));
    return Trial.run(directory, arguments.toArray(String[]::new));
  }

  @Test
  void writesAFileThatPassesTheCheckAndShips() throws IOException {
    Trial trial = init("--to", "archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("wrote tailwater.yaml: 1 source"), trial.err());
    assertTrue(trial.err().contains("ship --dry-run --config tailwater.yaml"), trial.err());
    String text = Files.readString(directory.resolve("tailwater.yaml"));
    assertTrue(text.contains("  - path: " + directory + "/app/logs "), text);
    assertTrue(text.contains("\ndestination: " + directory + "/archive\n"), text);
    Trial check = Trial.run(directory, "check", "tailwater.yaml");
    assertEquals(0, check.exitCode(), check.err());
    Trial ship =
        Trial.run(directory, "ship", "--once", "--state", "s", "--config", "tailwater.yaml");
    assertEquals(0, ship.exitCode(), ship.err());
    assertTrue(Trial.run(directory, "ls", "archive").out().contains("a.log"));
  }

  @Test
  void aBareInitOnThisMachinePassesTheCheck() throws IOException {
    Trial trial = Trial.run(directory, "init");
    assertEquals(0, trial.exitCode(), trial.err());
    Trial check = Trial.run(directory, "check", "tailwater.yaml");
    assertEquals(0, check.exitCode(), check.err());
  }

  @Test
  void neverOverwritesUnlessTold() throws IOException {
    Files.writeString(directory.resolve("tailwater.yaml"), "mine\n");
    Trial refused = init();
    assertEquals(1, refused.exitCode());
    assertTrue(refused.err().contains("tailwater.yaml exists already"), refused.err());
    assertTrue(refused.err().contains("--overwrite"), refused.err());
    assertEquals("mine\n", Files.readString(directory.resolve("tailwater.yaml")));
    assertEquals(0, init("--overwrite").exitCode());
    assertTrue(Files.readString(directory.resolve("tailwater.yaml")).contains("sources:"));
    try (var files = Files.list(directory)) {
      assertEquals(2, files.count(), "nothing is left beside it");
    }
  }

  @Test
  void overwritingReplacesALinkAndLeavesItsTarget() throws IOException {
    Path target = Files.writeString(directory.resolve("important"), "mine\n");
    Files.createSymbolicLink(directory.resolve("tailwater.yaml"), target);
    assertEquals(1, init().exitCode());
    assertEquals(0, init("--overwrite").exitCode());
    assertEquals("mine\n", Files.readString(target));
    assertFalse(Files.isSymbolicLink(directory.resolve("tailwater.yaml")));
  }

  @Test
  void printsInsteadOfWriting() {
    Trial trial = init("--print", "--to", "/archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.out().contains("destination: /archive\n"), trial.out());
    assertFalse(Files.exists(directory.resolve("tailwater.yaml")));
  }

  @Test
  void aDestinationThatCannotBeMeantWritesNothing() {
    Trial trial = init("--to", "ftp://host/x");
    assertEquals(2, trial.exitCode());
    assertTrue(trial.err().contains("unknown scheme ftp"), trial.err());
    assertFalse(Files.exists(directory.resolve("tailwater.yaml")));
  }

  @Test
  void saysThatTheArchiveWouldBeOnTheSameFileSystem() {
    Trial trial = init("--print", "--to", directory + "/archive");
    assertTrue(trial.out().contains("are free there."), trial.out());
    assertTrue(trial.out().contains("on the same file system as the logs"), trial.out());
  }

  @Test
  void countsOnlyWhatIsWrittenAndIsALog() throws IOException {
    Path old = Files.createDirectories(directory.resolve("app/old/log"));
    Files.writeString(old.resolve("b.log"), "text");
    Files.setLastModifiedTime(
        old.resolve("b.log"), FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    Path data = Files.createDirectories(directory.resolve("app/data"));
    Files.writeString(data.resolve("table.db"), "text");
    Path packed = Files.createDirectories(directory.resolve("app/packed/log"));
    Files.writeString(packed.resolve("a.log.gz"), "text");
    Trial trial = init("--print");
    assertTrue(trial.out().contains("/app/logs   # 1 file, 4.9 KiB"), trial.out());
    for (String no : List.of("old", "data", "packed")) {
      assertFalse(trial.out().contains("/app/" + no), trial.out());
    }
  }

  @Test
  void followsNoLinkBelowTheDirectories() throws IOException {
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere/logs"));
    Files.writeString(elsewhere.resolve("b.log"), "text");
    Files.createSymbolicLink(directory.resolve("app/linked"), elsewhere);
    Files.createDirectories(directory.resolve("app/files"));
    Files.createSymbolicLink(directory.resolve("app/files/c.log"), elsewhere.resolve("b.log"));
    Trial trial = init("--print");
    assertFalse(trial.out().contains("linked"), trial.out());
    assertFalse(trial.out().contains("app/files"), trial.out());
  }

  @Test
  void namesOfOtherUsersCannotChangeTheConfiguration() throws IOException {
    for (String name :
        List.of(
            "x\ndestination: /theirs\n#", "a: b", "- c", "[d]", "*", "#e", "'f\"", "\u001b[31m")) {
      Path theirs = Files.createDirectories(directory.resolve("app").resolve(name).resolve("log"));
      Files.writeString(theirs.resolve("b.log"), "text");
    }
    Trial trial = init("--to", "/archive");
    assertEquals(0, trial.exitCode(), trial.err());
    String text = Files.readString(directory.resolve("tailwater.yaml"));
    assertFalse(text.contains("\u001b"), text);
    assertEquals(1, text.lines().filter(line -> line.startsWith("destination:")).count(), text);
    Trial list =
        Trial.run(directory, "ship", "--dry-run", "--state", "s", "--config", "tailwater.yaml");
    assertEquals(0, list.exitCode(), list.err());
    assertTrue(list.out().contains("/app/a: b/log/b.log"), list.out());
    assertTrue(list.out().contains("/app/'f\"/log/b.log"), list.out());
    assertTrue(text.contains("more directories with logs are not listed here"), text);
  }

  @Test
  void findsAtMostEightSourcesAndCountsTheRest() throws IOException {
    for (int i = 0; i < 12; i++) {
      Path logs = Files.createDirectories(directory.resolve("app/app" + i + "/log"));
      Files.writeString(logs.resolve("b.log"), "text");
    }
    Trial trial = init("--print");
    assertEquals(8, trial.out().lines().filter(line -> line.contains("- path:")).count());
    assertTrue(trial.out().contains("# 5 more directories with logs"), trial.out());
  }

  @Test
  void tellsThatItDidNotLookAtEverything() throws IOException {
    for (int i = 0; i < 2_100; i++) {
      Files.createDirectories(directory.resolve("app/many/d" + i));
    }
    Trial trial = init("--print");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.out().contains("The search was not complete"), trial.out());
  }

  @Test
  void withoutLogsItSaysWhatToChange() throws IOException {
    Files.delete(directory.resolve("app/logs/a.log"));
    Trial trial = init("--to", "/archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("no logs were found"), trial.err());
    String text = Files.readString(directory.resolve("tailwater.yaml"));
    assertTrue(text.contains("CHANGE THIS:\nsources:\n"), text);
  }
}
