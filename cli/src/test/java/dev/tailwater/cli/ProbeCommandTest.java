package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tailwater probe}, on real directories. */
class ProbeCommandTest {
  @TempDir private Path directory;

  private static List<String> namesBelow(Path place) throws IOException {
    try (Stream<Path> paths = Files.walk(place)) {
      return paths.skip(1).map(path -> place.relativize(path).toString()).sorted().toList();
    }
  }

  @Test
  void findsADirectoryFitAndRemovesWhatItMade() throws IOException {
    Trial trial = Trial.run(directory, "probe", "new/archive", "--quick", "--throughput", "8MiB");
    assertEquals(0, trial.exitCode(), trial.out() + trial.err());
    assertTrue(trial.out().startsWith("WHAT "), trial.out());
    assertTrue(trial.out().contains("keep what is there      OK"), trial.out());
    assertTrue(trial.out().contains("8 puts at a time        OK "), trial.out());
    assertTrue(trial.out().endsWith("/archive is fit for an archive\n"), trial.out());
    assertTrue(trial.out().contains("and all of it is removed."), trial.out());
    assertEquals("", trial.err());
    assertEquals(List.of(), namesBelow(directory));
  }

  @Test
  void worksBesideAnArchiveInTheFolderThatItIsTold() throws IOException {
    Path theirs = Files.createDirectories(directory.resolve("archive/scratch/theirs"));
    Files.writeString(theirs.resolve("1"), "x");
    Trial trial =
        Trial.run(
            directory,
            "probe",
            "archive",
            "--quick",
            "--throughput",
            "0B",
            "--scratch",
            "scratch/new",
            "--json");
    assertEquals(0, trial.exitCode(), trial.out() + trial.err());
    JsonText json = JsonText.parse(trial.out());
    assertEquals("fit", json.text("fitness"));
    assertTrue(json.text("folder").matches("scratch/new/tailwater-probe-[0-9a-f]{16}"));
    assertTrue(json.isTrue("removedAll"));
    assertTrue(json.number("puts") > 100);
    // Seven permissions, forty-seven promises, the clock, two latencies, no throughput.
    assertEquals(58, json.objects("findings").size());
    assertEquals("create an object", json.objects("findings").getFirst().text("name"));
    assertEquals(2, json.objects("latencies").size());
    assertTrue(trial.err().endsWith("is fit for an archive\n"), trial.err());
    assertEquals(
        List.of("scratch", "scratch/theirs", "scratch/theirs/1"),
        namesBelow(directory.resolve("archive")));
  }

  @Test
  void leavesEmptyDirectoriesThatWereThereBefore() throws IOException {
    Files.createDirectories(directory.resolve("archive/.tailwater-tmp"));
    Files.createDirectories(directory.resolve("archive/scratch"));
    Trial trial =
        Trial.run(
            directory,
            "probe",
            "archive",
            "--quick",
            "--throughput",
            "0B",
            "--scratch",
            "scratch/new");
    assertEquals(0, trial.exitCode(), trial.out() + trial.err());
    assertEquals(List.of(".tailwater-tmp", "scratch"), namesBelow(directory.resolve("archive")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          probe                                | DESTINATION
          probe a b                            | unexpected argument 'b'
          probe a --throughput much            | --throughput: expected a size
          probe a --throughput 1MiB            | --throughput: expected 0B or at least 8MiB
          probe a --scratch ../b               | --scratch: expected a folder
          probe a --scratch /b                 | --scratch: expected a folder
          probe a --scratch b//c               | --scratch: expected a folder
          probe a --scratch ü                  | --scratch: expected a folder
          probe wat://b/c                      | unknown scheme wat; known: az, file
          probe file://host/c                  | not of host
          """)
  void refusesWhatCannotBe(String arguments, String said) throws IOException {
    Trial trial = Trial.run(directory, arguments.split(" "));
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(said), trial.err());
    assertEquals("", trial.out());
    assertEquals(List.of(), namesBelow(directory));
  }

  @Test
  void saysThatADestinationCannotBeOpened() throws IOException {
    Files.writeString(directory.resolve("file"), "in the way");
    Trial trial = Trial.run(directory, "probe", "file/archive");
    assertEquals(1, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertFalse(trial.err().contains("at dev.tailwater"), "no stack trace");
    assertEquals("", trial.out());
  }
}
