package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The termination drill for users, on this host. */
class RehearseTest {
  private static final List<String> SHORT =
      List.of(
          "rehearse",
          "--rate",
          "2MiB/s",
          "--warm-up",
          "500ms",
          "--notice",
          "3s",
          "--outage",
          "500ms",
          "--drain-deadline",
          "60s",
          "--max-age",
          "100ms");

  @TempDir private Path directory;

  @BeforeEach
  void makeLogs() throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/mine.log"), "not the rehearsal's\n");
    Files.createDirectories(directory.resolve("archive"));
  }

  private List<String> left() throws IOException {
    return Site.files(directory).stream()
        .map(path -> directory.relativize(path).toString())
        .filter(path -> !path.contains(".tailwater-tmp/"))
        .toList();
  }

  private static JsonText scene(List<JsonText> scenes, String name) {
    return scenes.stream().filter(s -> s.text("what").equals(name)).findFirst().orElseThrow();
  }

  @Test
  void endsAnAgentInEveryWayAndLeavesNoTrace() throws Exception {
    List<String> arguments = new ArrayList<>(SHORT);
    arguments.addAll(List.of("--json", "logs", "archive"));
    Packaged.Run run = Packaged.tailwater(directory, arguments.toArray(String[]::new));
    List<JsonText> scenes = JsonText.parse(run.out()).objects("scenes");
    assertEquals(
        List.of("notice", "sigterm", "sigkill", "network"),
        scenes.stream().map(scene -> scene.text("what")).toList());
    for (String complete : List.of("network", "sigterm")) {
      assertTrue(scene(scenes, complete).isTrue("holds"), run.out() + run.err());
      assertEquals(0, scene(scenes, complete).number("lostBytes"), run.out());
      assertTrue(scene(scenes, complete).number("writtenBytes") > 0, run.out());
    }
    assertTrue(scene(scenes, "sigkill").isTrue("holds"), run.out());
    // Whether 3 s are enough is a matter of the machine; what it says of it must agree.
    boolean inTime = scene(scenes, "notice").isTrue("holds");
    assertEquals(inTime ? 0 : 3, run.exitCode(), run.out() + run.err());
    assertEquals(inTime, JsonText.parse(run.out()).isTrue("holds"));
    assertEquals(List.of("logs/mine.log"), left());
  }

  @Test
  void anInterruptedRehearsalLeavesNoTraceEither() throws Exception {
    List<String> command = new ArrayList<>(List.of(Packaged.launcher()));
    // It cannot come to its end by itself.
    command.addAll(List.of("rehearse", "--rate", "1MiB/s", "--warm-up", "1h", "logs", "archive"));
    Path messages = Files.createTempFile("messages", ".txt");
    Process rehearsal =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(messages.toFile())
            .start();
    try {
      Site.await(
          "something is delivered",
          () -> left().stream().anyMatch(path -> path.endsWith(".zst")) || !rehearsal.isAlive());
      assertTrue(rehearsal.isAlive(), () -> Packaged.text(messages));
      rehearsal.destroy(); // SIGTERM, as Ctrl-C
      assertTrue(rehearsal.waitFor(120, TimeUnit.SECONDS), "still runs");
      assertTrue(Packaged.text(messages).contains("what the rehearsal wrote is removed"));
      assertEquals(List.of("logs/mine.log"), left());
    } finally {
      rehearsal.destroyForcibly();
      Files.delete(messages);
    }
  }

  @Test
  void theAgentOfARehearsalThatIsKilledEndsAndTheNextOneNamesWhatIsLeft() throws Exception {
    List<String> command = new ArrayList<>(List.of(Packaged.launcher()));
    command.addAll(List.of("rehearse", "--rate", "1MiB/s", "--warm-up", "1h", "logs", "archive"));
    Process rehearsal =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> agents;
    try {
      Site.await(
          "something is delivered",
          () -> left().stream().anyMatch(path -> path.endsWith(".zst")) || !rehearsal.isAlive());
      agents = rehearsal.descendants().toList();
      assertEquals(1, agents.size());
      assertEquals(List.of(), ownVariables(agents.getFirst()), "what it starts would see them");
    } finally {
      rehearsal.destroyForcibly();
    }
    Site.await("its agent has ended", () -> agents.stream().noneMatch(ProcessHandle::isAlive));
    Path local;
    try (Stream<Path> entries = Files.list(directory)) {
      local = entries.filter(entry -> entry.toString().contains("rehearsal-")).findFirst().get();
    }
    String folder;
    try (Stream<Path> entries = Files.list(directory.resolve("archive"))) {
      folder =
          entries
              .map(entry -> entry.getFileName().toString())
              .filter(name -> name.startsWith("tailwater-rehearsal-"))
              .findFirst()
              .get();
    }
    List<String> arguments = new ArrayList<>(SHORT);
    arguments.addAll(List.of("logs", "archive"));
    Packaged.Run next = Packaged.tailwater(directory, arguments.toArray(String[]::new));
    assertTrue(next.err().contains(local + " is of another rehearsal"), next.err());
    assertTrue(next.err().contains(folder), next.err());
  }

  /**
   * Returns the variables of a process that are Tailwater's, and that this process does not have.
   */
  private static List<String> ownVariables(ProcessHandle process) throws IOException {
    String environment = Files.readString(Path.of("/proc/" + process.pid() + "/environ"));
    return Stream.of(environment.split("\0"))
        .filter(variable -> variable.startsWith("TAILWATER_"))
        .filter(variable -> System.getenv(variable.substring(0, variable.indexOf('='))) == null)
        .toList();
  }

  @Test
  void saysWhereItCannotWrite() throws Exception {
    Packaged.Run run = Packaged.tailwater(directory, "rehearse", "logs", ".", "archive");
    assertEquals(2, run.exitCode(), run.err());
    Packaged.Run rate = Packaged.tailwater(directory, "rehearse", "--rate", "5", "logs", "archive");
    assertEquals(2, rate.exitCode(), rate.err());
    assertTrue(rate.err().contains("--rate"), rate.err());
    assertEquals(List.of("logs/mine.log"), left());
  }
}
