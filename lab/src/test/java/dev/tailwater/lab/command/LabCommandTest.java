package dev.tailwater.lab.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.lab.Experiments;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.report.ResultFile;
import dev.tailwater.lab.report.SettingsBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tailwater lab} and its commands. */
class LabCommandTest {
  private static final String RESULT =
      """
      {
        "format" : 1, "version" : "0.1.0", "startedAt" : "2026-11-22T18:00:00Z", "effort" : "quick",
        "host" : { "facts" : [ { "name" : "kernel", "value" : "Linux" } ] },
        "experiments" : [ ]
      }
      """;

  @TempDir private Path directory;

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void listsEveryExperimentWithItsQuestion() {
    Trial trial = Trial.run(directory, "lab", "--list");
    assertEquals(0, trial.exitCode(), trial.err());
    for (Experiment experiment : Experiments.all()) {
      assertTrue(trial.out().contains(experiment.name() + " "), trial.out());
      assertTrue(trial.out().contains(experiment.topic().question()), trial.out());
      assertTrue(experiment.topic().question().endsWith("?"), experiment.topic().question());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lab --only write-size-snyc                     | did you mean 'write-size-sync'?
          lab --only write-size-sync,nonsense            | there is no experiment 'nonsense'
          lab --only destination                         | no destination was given
          lab --only nonsense --destination archive      | there is no experiment 'nonsense'
          lab --destination wat://b                      | unknown scheme wat; known: az, file
          lab --quick --full                             | mutually exclusive
          lab --dir nowhere                              | nowhere: no such directory
          lab --dir file                                 | file: not a directory
          lab --report nowhere/a.html                    | its directory does not exist
          lab --report file                              | the file exists, and the lab has not
          lab --json file                                | the file exists, and the lab has not
          lab --json . --report a.html                   | not a file
          lab --report a.html --json a.html              | are the same file
          lab --qick                                     | did you mean '--quick'?
          lab compere                                    | did you mean 'compare'?
          lab compare result.json                        | SECOND
          lab compare result.json nowhere.json           | nowhere.json: no such file
          lab compare result.json future.json            | has format 2
          lab compare result.json result.json --report file | the file exists, and the lab has not
          lab report                                     | FILE
          lab report nowhere.json                        | nowhere.json: no such file
          lab report .                                   | a directory
          lab report file                                | is no result of the lab
          lab report future.json                         | has format 2
          lab report result.json --report file           | the file exists, and the lab has not
          """)
  void refusesWhatCannotBe(String arguments, String said) throws IOException {
    Files.writeString(directory.resolve("file"), "mine");
    Files.writeString(directory.resolve("result.json"), RESULT);
    Files.writeString(directory.resolve("future.json"), "{\"format\":2}");
    Trial trial = Trial.run(directory, arguments.split(" "));
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(said), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertFalse(trial.err().contains("\tat "), "no stack trace");
    assertEquals("", trial.out());
    assertEquals(List.of("file", "future.json", "result.json"), names());
    assertEquals("mine", Files.readString(directory.resolve("file")));
  }

  @Test
  void drawsTheReportOfASavedResultAndDrawsItAgain() throws IOException {
    Files.writeString(directory.resolve("result.json"), RESULT);
    for (int i = 0; i < 2; i++) {
      Trial trial = Trial.run(directory, "lab", "report", "result.json");
      assertEquals(0, trial.exitCode(), trial.err());
      assertTrue(trial.err().contains("result.html"), trial.err());
    }
    assertEquals(List.of("result.html", "result.json"), names());
    assertTrue(Files.readString(directory.resolve("result.html")).contains("Linux"));
  }

  @Test
  void showsTwoResultsSideBySide() throws IOException {
    Files.writeString(directory.resolve("a.json"), RESULT);
    Files.writeString(directory.resolve("b.json"), RESULT.replace("Linux", "Linux 7"));
    Trial trial =
        Trial.run(directory, "lab", "compare", "a.json", "b.json", "--report", "difference.html");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.out().startsWith("WHAT DIFFERS  a.json  b.json"), trial.out());
    assertTrue(trial.out().contains("kernel        Linux   Linux 7"), trial.out());
    String page = Files.readString(directory.resolve("difference.html"));
    assertTrue(page.contains("<td>Linux 7</td>"), page);
  }

  @Test
  void recommendedSettingsCanBePastedIntoAConfiguration() throws IOException {
    String recommended =
        """
        "recommendations" : [
          { "place" : "CONFIGURATION", "key" : "compress", "value" : "zstd:3", "reason" : "a: b # c" },
          { "place" : "CONFIGURATION", "key" : "segment_size", "value" : "16MiB", "reason" : "- d" },
          { "place" : "HOST", "key" : "vm.x", "value" : "1", "reason" : "e" } ]
        """;
    String experiment =
        """
        { "name" : "seal", "question" : "?", "article" : null, "skipped" : null, "failed" : null,
          "conditions" : { }, "tables" : [ ], "plots" : [ ], "conclusions" : [ ],
          %s, "elapsedMillis" : 1 }
        """
            .formatted(recommended);
    Files.writeString(
        directory.resolve("a.json"),
        RESULT.replace("\"experiments\" : [ ]", "\"experiments\" : [ " + experiment + " ]"));
    String block = SettingsBlock.of(ResultFile.read(directory.resolve("a.json")).experiments());
    assertTrue(block.endsWith("# seal: - d\nsegment_size: 16MiB\n"), block);
    assertEquals(
        List.of(),
        ConfigFile.read("sources: [logs]\ndestination: archive\n" + block, directory).problems());
  }

  @Test
  void writesOverAnotherFileOnlyWhenForced() throws IOException {
    Files.writeString(directory.resolve("result.json"), RESULT);
    Files.writeString(directory.resolve("page.html"), "mine");
    String[] arguments = {"lab", "report", "result.json", "--report", "page.html", "--force"};
    assertEquals(0, Trial.run(directory, arguments).exitCode());
    assertTrue(Files.readString(directory.resolve("page.html")).startsWith("<!DOCTYPE html>"));
  }

  @Test
  void leavesTheOldFileWhereTheNewOneCannotBeWritten() throws IOException {
    Path file = Files.writeString(directory.resolve("old.html"), "old");
    OutputFile output = OutputFile.at("--report", file, path -> true, false);
    Files.delete(file);
    Files.createDirectory(file);
    Files.writeString(file.resolve("in the way"), "");
    try {
      output.write(new byte[] {1});
    } catch (IOException expected) {
      assertEquals(List.of("old.html"), names(), "nothing unfinished is left");
      return;
    }
    throw new AssertionError("written over a directory");
  }
}
