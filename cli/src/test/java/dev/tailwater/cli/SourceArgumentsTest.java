package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ship} and {@code check} make of globs, of names that look like them, and of ''. */
class SourceArgumentsTest {
  @TempDir private Path directory;

  @BeforeEach
  void makeSources() throws IOException {
    Files.createDirectory(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
  }

  private Trial ship(String... arguments) {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(new String[] {"ship", "--once", "--state", "s"}, 0, all, 0, 4);
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    return Trial.run(directory, all);
  }

  private Trial check(String yaml) throws IOException {
    Files.writeString(directory.resolve("c.yaml"), yaml);
    return Trial.run(directory, "check", "c.yaml");
  }

  private static void assertUsage(String message, Trial trial) {
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().startsWith("tailwater: " + message), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
  }

  @Test
  void aGlobThatIsNotClosedIsRefusedWithTheOptionItIsIn() {
    assertUsage(
        "--include: not a valid glob: [ab: a [ is not closed",
        ship("--include", "[ab", "logs", "archive"));
    assertUsage(
        "--exclude: not a valid glob: *.{gz,tmp: a { is not closed",
        ship("--exclude", "*.{gz,tmp", "logs", "archive"));
    assertUsage("--exclude: expected a value", ship("--exclude", "", "logs", "archive"));
    assertUsage(
        "source logs/[ab: not a valid glob: /[ab: a [ is not closed", ship("logs/[ab", "archive"));
    assertUsage("source logs/*[: not a valid glob: ", ship("logs/*[", "archive"));
    assertFalse(Files.exists(directory.resolve("s")), "nothing is made");
  }

  @Test
  void whatKeepsAnybodyFromTellingWhetherANameExistsIsSaid() throws IOException {
    Files.createSymbolicLink(directory.resolve("logs/[ab]"), Path.of("[ab]"));
    Trial ship = ship("logs/[ab]", "archive");
    assertUsage("source logs/[ab]: it cannot be told whether a file of this name exists: ", ship);
    assertTrue(ship.err().contains("ELOOP"), ship.err());
    Trial check = check("{sources: ['logs/[ab]'], destination: archive}");
    assertEquals(2, check.exitCode(), check.out());
    assertTrue(check.err().contains("ELOOP"), check.err());
  }

  /** The JVM cannot name such a link. */
  @Test
  void aLinkWhoseNameIsNoTextLeadsNoSourceIntoTheDestination() throws Exception {
    Files.createDirectory(directory.resolve("archive"));
    PosixPath link = PosixPath.of(directory).resolve(EscapedPath.parse("l\\xfe"));
    LinuxFileCalls.create().symbolicLink(PosixPath.of("archive"), FileCalls.AT_FDCWD, link);
    assertUsage("source l\\xfe lies in ", ship("l\\xfe", "archive"));
    Trial check = check("{sources: ['l\\xfe'], destination: archive}");
    assertEquals(2, check.exitCode(), check.out());
    assertTrue(check.err().contains("lies in the destination"), check.err());
  }

  /** A long list of alternatives is no name. */
  @Test
  void aGlobThatIsTooLongForANameIsAGlob() {
    String many = "x".repeat(300);
    Trial ship = ship("logs/{a," + many + "}.log", "archive");
    assertEquals(0, ship.exitCode(), ship.err());
  }

  @Test
  void checkFindsGlobsThatAreNotClosedWithAllOtherProblems() throws IOException {
    Trial check =
        check(
            """
            sources:
              - {path: logs, include: ["[ab"], exclude: ["*.log", "*.{gz,tmp"]}
              - "none/x[1"
            destination: archive
            workers: none
            """);
    assertEquals(2, check.exitCode(), check.out());
    String said = check.err();
    assertTrue(said.contains("c.yaml:2:28: include: not a valid glob: [ab: "), said);
    assertTrue(said.contains("c.yaml:2:55: exclude: not a valid glob: *.{gz,tmp: "), said);
    assertTrue(said.contains("c.yaml:3:5: sources: not a valid glob: /x[1: "), said);
    assertTrue(said.contains("c.yaml:5:10: workers: "), said);
    assertEquals(2, ship("--config", "c.yaml").exitCode());
    assertEquals(2, check("sources: \"x[1\"\ndestination: archive\n").exitCode());
    assertUsage("source ", ship("--config", "c.yaml"));
  }

  @Test
  void aRehearsalReadsSourcesTheSameWay() {
    Trial trial = Trial.run(directory, "rehearse", "logs/[ab", "archive");
    assertUsage("source logs/[ab: not a valid glob: ", trial);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x[1", "x[1]", "{a,b}", "a{b", "w*[", "w?{"})
  void anExistingDirectoryIsMeantEvenIfItsNameLooksLikeAGlob(String name) throws IOException {
    Files.createDirectory(directory.resolve(name));
    Files.writeString(directory.resolve(name).resolve("inside.log"), "text\n");
    Trial ship = ship(name, "archive");
    assertEquals(0, ship.exitCode(), ship.err());
    Trial ls = Trial.run(directory, "ls", "archive");
    assertTrue(ls.out().contains(name + "/inside.log"), ls.out());
    Trial check = check("sources: ['" + name + "']\ndestination: archive\n");
    assertEquals(0, check.exitCode(), check.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a?b", "a*b", "a[x]b", "{a,b}"})
  void theNameOfTheDirectoryThatASourceIsRelativeToIsNoGlob(String name) throws IOException {
    for (String below : List.of(name, "axb", "ab", "a")) {
      Files.createDirectories(directory.resolve(below).resolve("log"));
      Files.writeString(directory.resolve(below).resolve("log/f.log"), below);
    }
    Path there = directory.resolve(name);
    for (String source : List.of(".", "log", "log/f.log")) {
      String number = String.valueOf(source.length());
      Trial ship =
          Trial.run(
              there, "ship", "--once", "--state", "../s" + number, source, "../archive" + number);
      assertEquals(0, ship.exitCode(), ship.err());
      Trial ls = Trial.run(directory, "ls", "archive" + number);
      assertTrue(ls.out().contains(there + "/log/f.log"), ls.out());
      assertEquals(2, ls.out().split("/log/f.log", -1).length, ls.out());
      Files.writeString(there.resolve("c.yaml"), "sources: " + source + "\ndestination: d\n");
      assertEquals(0, Trial.run(directory, "check", name + "/c.yaml").exitCode());
    }
    assertUsage(
        "source log/*.log: a glob below " + there + " would begin with",
        Trial.run(there, "ship", "--once", "--state", "../s", "log/*.log", "../archive"));
  }

  @Test
  void nobodyHidesFilesByMakingOneThatIsNamedAsTheGlob() throws IOException {
    Path directoryOfThatName = Files.createDirectory(directory.resolve("logs/*.log"));
    Files.writeString(directoryOfThatName.resolve("inside"), "text\n");
    Trial ship = ship("logs/*.log", "archive");
    assertEquals(0, ship.exitCode(), ship.err());
    assertTrue(Trial.run(directory, "ls", "archive").out().contains("logs/a.log"), "the glob");
    Trial escaped = ship("logs/\\x2a.log", "other");
    assertEquals(0, escaped.exitCode(), escaped.err());
    assertTrue(Trial.run(directory, "ls", "other").out().contains("*.log/inside"), "the name");
  }

  @Test
  void aSourceThatIsNeitherFileNorDirectoryIsRefused() throws Exception {
    int made = new ProcessBuilder("mkfifo", directory.resolve("fifo") + "").start().waitFor();
    assertEquals(0, made);
    for (String source : new String[] {"fifo", "/dev/null"}) {
      String message = "source " + source + " is neither a file nor a directory";
      assertUsage(message, ship("logs", source, "archive"));
      assertUsage(message, Trial.run(directory, "ship", "--state", "s", source, "archive"));
    }
    assertFalse(Files.exists(directory.resolve("s")), "nothing is made");
    Files.writeString(directory.resolve("c.yaml"), "sources: [fifo, logs]\ndestination: archive\n");
    Trial configured = ship("--config", "c.yaml");
    assertEquals(3, configured.exitCode(), configured.err());
    assertTrue(
        configured.err().contains("fifo is neither a file nor a directory; it is left out"),
        configured.err());
    Files.writeString(directory.resolve("c.yaml"), "sources: fifo\ndestination: archive\n");
    assertEquals(1, ship("--config", "c.yaml").exitCode());
  }

  @Test
  void aSourceThatTheKernelMakesUpIsRefused() throws Exception {
    Files.writeString(
        directory.resolve("c.yaml"), "sources: [logs, /proc/cpuinfo]\ndestination: archive\n");
    for (String source : new String[] {"/proc/cpuinfo", "/proc/self", "/proc/*/status"}) {
      assertUsage(
          "source " + source + " is made up by the kernel", ship("logs", source, "archive"));
    }
    assertUsage("source /proc/cpuinfo is made up by the kernel", ship("--config", "c.yaml"));
    assertUsage(
        "source /proc/cpuinfo is made up by the kernel", ship("--dry-run", "--config", "c.yaml"));
  }

  @Test
  void anEmptyArgumentIsRefusedAndNotTakenForTheWorkingDirectory() {
    assertUsage("DESTINATION: expected a value, not an empty text", ship("logs", ""));
    assertUsage("a source is empty", ship("", "archive"));
    assertUsage("a source is empty", ship("logs", "", "--to", "archive"));
  }
}
