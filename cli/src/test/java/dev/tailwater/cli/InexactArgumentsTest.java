package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What names no path exactly is refused, and nothing is written anywhere else. */
class InexactArgumentsTest {
  @TempDir private Path directory;

  @BeforeEach
  void makeSource() throws IOException {
    Files.createDirectory(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
  }

  private void ship() {
    Trial ship = Trial.run(directory, "ship", "--once", "--state", "s", "logs", "archive");
    assertEquals(0, ship.exitCode(), ship.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore archive \"$odd\"",
        "verify archive --against \"$odd\"",
        "ship --once --state \"$odd\" logs archive",
        "ship --once \"--state=$odd\" logs archive",
        "ship --once --state s logs --to \"$odd\"",
        "ship --once --state s \"$odd\" archive"
      })
  void anArgumentThatIsNotUtf8IsRefusedAndNoOtherNameIsUsed(String arguments) throws Exception {
    ship();
    String before = names();
    Run run = run("odd=$(printf 'out\\377')", arguments);
    assertEquals(2, run.exitCode(), run.said());
    assertTrue(run.said().contains("an argument is not UTF-8: "), run.said());
    assertTrue(run.said().contains("out\\xff\nHint: "), run.said());
    assertEquals(before, names());
  }

  @Test
  void theCharacterThatStandsForLostBytesIsAcceptedWhereItIsMeant() throws Exception {
    ship();
    Run run = run("odd=$(printf 'out\\357\\277\\275')", "restore archive \"$odd\"");
    assertEquals(0, run.exitCode(), run.said());
    assertTrue(Files.isDirectory(directory.resolve("out\uFFFD" + directory)), names());
  }

  @Test
  void aRelativePathBelowADirectoryThatIsNotUtf8IsRefused() throws Exception {
    ship();
    String moved = "odd=$(printf 'cwd\\377'); mkdir \"$odd\"; cd \"$odd\"";
    Run relative = run(moved, "restore '" + directory + "/archive' out");
    assertEquals(2, relative.exitCode(), relative.said());
    assertTrue(relative.said().contains("whose name is not UTF-8"), relative.said());
    assertFalse(Files.exists(directory.resolve("cwd\uFFFD")), "another name was used");
    String archive = directory + "/archive";
    Run absolute =
        run("cd cwd*", "restore '" + archive + "' '" + directory.resolve("restored") + "'");
    assertEquals(0, absolute.exitCode(), absolute.said());
  }

  @Test
  void theLastArgumentsOfTheCommandLineAreCompared() {
    byte[] odd = "java\0-cp\0a\0Main\0ls\0x\uFFFD\0".getBytes(StandardCharsets.UTF_8);
    assertEquals(Optional.empty(), Main.undecodable(new String[] {"ls", "x\uFFFD"}, odd));
    byte[] latin = "java\0Main\0\0caf\u00e9\0\0".getBytes(StandardCharsets.ISO_8859_1);
    UserException refused =
        Main.undecodable(new String[] {"", "caf\uFFFD", ""}, latin).orElseThrow();
    assertEquals("an argument is not UTF-8: caf\\xe9", refused.getMessage());
    assertEquals(Optional.empty(), Main.undecodable(new String[0], latin));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restore archive ''",
        "restore '' out",
        "restore archive out --agent ''",
        "restore archive out --agent=",
        "restore archive out --at ''",
        "restore archive out --identity ''",
        "restore archive out --trust ''",
        "restore archive out --only ''",
        "verify archive --against ''",
        "verify archive --against logs --content-check-key-file ''",
        "ls ''",
        "cat archive ''",
        "compact archive --agent ''",
        "compact archive --recipient ''",
        "compact archive --trust logs --signing-key-file ''",
        "ship --once --state '' logs archive",
        "ship --once logs --to ''",
        "ship --once logs --to archive --to-best-effort ''",
        "ship --once --config ''",
        "ship --once --as '' logs archive",
        "status ''",
        "status --state ''",
        "drain --state ''",
        "init ''",
        "init --to ''",
        "init --look ''",
        "check ''",
        "estimate '' --rate 1,1",
        "estimate c.yaml --rate 1,1 --prices ''",
        "probe ''",
        "probe archive --scratch ''",
        "keygen -o ''",
        "rehearse --dir '' logs archive",
        "store stats ''",
        "store bench ''",
        "store import s ''",
        "store repair s --report ''"
      })
  void anEmptyTextIsRefusedAndNotTakenForTheWorkingDirectoryOrADefault(String line)
      throws IOException {
    String before = names();
    String[] arguments =
        Stream.of(line.split(" ")).map(word -> word.replace("''", "")).toArray(String[]::new);
    Map<String, String> environment = Map.of("STATE_DIRECTORY", directory + "/s");
    Trial trial = Trial.run(directory, environment, arguments);
    assertEquals(2, trial.exitCode(), trial.out() + trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertEquals("", trial.out());
    assertEquals(before, names());
  }

  @Test
  void aKeyOfAStoreMayBeEmpty() {
    ship();
    assertEquals(1, Trial.run(directory, "store", "get", "s", "").exitCode());
    assertEquals(0, Trial.run(directory, "store", "scan", "s", "--prefix", "").exitCode());
  }

  @Test
  void aHomeThatIsNotAbsoluteIsNoPlaceForTheStateToAnyCommand() throws IOException {
    String before = names();
    String replaced = "/h\uFFFD";
    for (String[] command :
        new String[][] {
          {"ship", "--once", "logs", "archive"},
          {"ship", "--dry-run", "logs", "archive"},
          {"status"},
          {"drain"}
        }) {
      Trial relative = Trial.run(directory, Map.of("HOME", "rel"), command);
      assertEquals(2, relative.exitCode(), relative.err());
      String message = "there is no place for the state: HOME is not an absolute path: rel\n";
      assertEquals("tailwater: " + message + "Hint: give it: --state DIR\n", relative.err());
      for (String variable : List.of("HOME", "XDG_STATE_HOME", "STATE_DIRECTORY")) {
        Trial inexact = Trial.run(directory, Map.of(variable, replaced), command);
        assertEquals(2, inexact.exitCode(), inexact.err());
        assertTrue(inexact.err().contains(variable + " is not UTF-8"), inexact.err());
      }
    }
    assertEquals(before, names());
  }

  /** What a process said, on both streams, and how it ended. */
  private record Run(int exitCode, String said) {}

  /** Runs the program in a process of its own, since only a shell can give it such arguments. */
  private Run run(String before, String arguments) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                "-c",
                before + "; exec \"$0\" -cp \"$1\" " + Main.class.getName() + " " + arguments,
                java,
                classPath)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
    return new Run(process.exitValue(), said);
  }

  private String names() throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      return below.filter(path -> !path.startsWith(directory.resolve("s"))).sorted().toList() + "";
    }
  }
}
