package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Archives that are none, that no key opens, that are encrypted in part; names that are no text.
 */
class UntrustedArchiveCommandsTest {
  private static final String ENCRYPTED =
      "ship --once --state state --encrypt-to recipients.txt --agent web-1 logs archive";
  private static final String PLAIN = "ship --once --state state --agent web-1 logs archive";

  @TempDir Path directory;

  private Trial run(int exitCode, String... args) {
    Trial trial = Trial.run(directory, args);
    assertEquals(exitCode, trial.exitCode(), trial.err());
    return trial;
  }

  private void makeKeys() throws IOException {
    run(0, "keygen", "-o", "key.txt");
    run(0, "keygen", "-o", "wrong.txt");
    String recipient =
        Files.readString(directory.resolve("key.txt"))
            .lines()
            .filter(line -> line.startsWith("# public key: "))
            .findFirst()
            .orElseThrow()
            .substring("# public key: ".length());
    Files.writeString(directory.resolve("recipients.txt"), recipient + "\n");
  }

  private void makeLogs(int files) throws IOException {
    Files.createDirectories(directory.resolve("logs/sub"));
    for (int i = 0; i < files; i++) {
      Files.writeString(directory.resolve("logs/sub/" + i + ".log"), "text " + i + "\n");
    }
  }

  @Test
  void aPlaceWithoutAnArchiveIsAnError() throws IOException {
    Files.createDirectories(directory.resolve("empty"));
    Files.createDirectories(directory.resolve("other"));
    Files.writeString(directory.resolve("other/readme.txt"), "no archive");
    for (String place : List.of("empty", "other")) {
      for (List<String> command :
          List.of(
              List.of("ls", place),
              List.of("verify", place),
              List.of("verify", place, "--against", "."),
              List.of("restore", place, "out"),
              List.of("compact", place),
              List.of("compact", place, "--dry-run"),
              List.of("cat", place, "/a"))) {
        Trial trial = run(1, command.toArray(String[]::new));
        assertTrue(trial.err().contains("no archive at " + place), trial.err());
        assertTrue(trial.err().contains("Hint: "), trial.err());
        assertFalse(trial.err().contains("0 of 0"), trial.err());
      }
    }
    assertFalse(Files.exists(directory.resolve("out")));
    Trial absent = run(1, "compact", "absent");
    assertTrue(absent.err().contains("no such directory"), absent.err());
    assertFalse(Files.exists(directory.resolve("absent")), "compact makes no directory");
  }

  @Test
  void anAgentThatTheArchiveDoesNotHaveIsAnError() throws IOException {
    makeLogs(1);
    run(0, "ship", "--once", "--state", "s", "--agent", "web-1", "logs", "archive");
    for (List<String> command :
        List.of(
            List.of("ls", "archive"),
            List.of("verify", "archive"),
            List.of("restore", "archive", "out"),
            List.of("compact", "archive"),
            List.of("compact", "archive", "--dry-run"))) {
      List<String> all = new java.util.ArrayList<>(command);
      all.addAll(List.of("--agent", "web"));
      run(1, all.toArray(String[]::new));
    }
    run(0, "compact", "archive", "--agent", "web-1");
  }

  @Test
  void withoutAKeyOrWithAWrongOneOneLineSaysSoAndNothingIsCalledMissing() throws IOException {
    makeKeys();
    makeLogs(20);
    run(0, (ENCRYPTED + " --packs off").split(" "));
    for (List<String> key : List.of(List.<String>of(), List.of("--identity", "wrong.txt"))) {
      for (List<String> command :
          List.of(List.of("restore", "archive", "out"), List.of("verify", "archive"))) {
        List<String> all = new java.util.ArrayList<>(command);
        all.addAll(key);
        Trial trial = run(1, all.toArray(String[]::new));
        List<String> lines = trial.err().lines().toList();
        assertEquals(2, lines.size(), trial.err());
        assertTrue(lines.getFirst().contains("20 of 20 files are encrypted to 1 rec"), trial.err());
        assertTrue(lines.getLast().startsWith("Hint: --identity FILE"), trial.err());
      }
    }
    assertFalse(Files.exists(directory.resolve("out")));
    run(0, "restore", "archive", "out", "--identity", "key.txt");
  }

  @Test
  void anArchiveOfEncryptedPacksShowsNothingWithoutItsKey() throws IOException {
    makeKeys();
    makeLogs(20);
    run(0, (ENCRYPTED + " --packs on").split(" "));
    String file = directory.toRealPath().resolve("logs/sub/1.log").toString();
    for (List<String> key : List.of(List.<String>of(), List.of("--identity", "wrong.txt"))) {
      for (List<String> command :
          List.of(
              List.of("restore", "archive", "out"),
              List.of("verify", "archive"),
              List.of("verify", "archive", "--against", "/"),
              List.of("ls", "archive"),
              List.of("cat", "archive", file))) {
        List<String> all = new java.util.ArrayList<>(command);
        all.addAll(key);
        Trial trial = run(1, all.toArray(String[]::new));
        List<String> lines = trial.err().lines().toList();
        assertEquals(2, lines.size(), trial.err());
        assertTrue(lines.getFirst().contains("the archive at archive is encrypted"), trial.err());
        assertTrue(lines.getLast().startsWith("Hint: --identity FILE"), trial.err());
      }
    }
    assertFalse(Files.exists(directory.resolve("out")));
    run(0, "restore", "archive", "out", "--identity", "key.txt");
    assertTrue(run(0, "ls", "archive", "--identity", "key.txt").out().contains("1.log"));
  }

  @Test
  void whatIsInEncryptedPacksBesidePlainSegmentsIsMissedByEveryCommand() throws IOException {
    makeKeys();
    makeLogs(2);
    run(0, PLAIN.split(" "));
    Path fresh = Files.writeString(directory.resolve("logs/sub/fresh.log"), "secret");
    run(0, (ENCRYPTED + " --packs on").split(" "));
    for (List<String> command :
        List.of(
            List.of("restore", "archive", "out"),
            List.of("verify", "archive"),
            List.of("verify", "archive", "--against", "/"),
            List.of("ls", "archive"))) {
      Trial trial = run(3, command.toArray(String[]::new));
      assertTrue(trial.err().contains("no identity was given"), trial.err());
    }
    Trial cat = run(1, "cat", "archive", fresh.toRealPath().toString());
    assertTrue(cat.err().contains("no identity was given"), cat.err());
  }

  @Test
  void whatWasShippedBeforeTheArchiveWasEncryptedNeedsAWord() throws IOException {
    makeKeys();
    makeLogs(1);
    run(0, PLAIN.split(" "));
    Path log = directory.resolve("logs/sub/0.log");
    Files.writeString(log, Files.readString(log) + "secret\n");
    run(0, ENCRYPTED.split(" "));

    Trial refused = run(3, "restore", "archive", "out", "--identity", "key.txt");
    assertTrue(refused.err().contains("1 segment of 1 file refused"), refused.err());
    assertTrue(refused.err().contains("--allow-plain"), refused.err());
    assertTrue(refused.err().contains("  refused  web-1/"), refused.err());
    Trial verified = run(3, "verify", "archive", "--identity", "key.txt", "--json");
    JsonText stream = JsonText.parse(verified.out()).objects("streams").getFirst();
    assertEquals("refused", stream.objects("damages").getFirst().text("kind"));

    run(0, "verify", "archive", "--identity", "key.txt", "--allow-plain");
    run(0, "restore", "archive", "all", "--identity", "key.txt", "--allow-plain");
    assertArrayEquals(
        Files.readAllBytes(log),
        Files.readAllBytes(directory.resolve("all").resolve(Path.of("/").relativize(log))));
  }

  @Test
  void catOfANameAloneSuggestsTheWholePath() throws IOException {
    makeLogs(3);
    run(0, PLAIN.split(" "));
    String path = directory.resolve("logs/sub/1.log").toString();
    for (String name : List.of("1.log", "sub/1.log", "/elsewhere/1.log")) {
      Trial trial = run(1, "cat", "archive", name);
      assertTrue(trial.err().contains(path), trial.err());
    }
  }

  @Test
  void aNameThatIsNoTextIsTakenAsItIsPrinted() throws IOException {
    makeLogs(1);
    byte[] name = {'o', 'd', 'd', (byte) 0xff, '\n', '\\', 'x'};
    PosixPath logs = PosixPath.of(directory.resolve("logs"));
    FileCalls calls = LinuxFileCalls.create();
    int fd =
        calls.open(
            FileCalls.AT_FDCWD,
            logs.resolve(PosixPath.of(name)),
            EnumSet.of(OpenFlag.CREATE, OpenFlag.READ_WRITE),
            0600);
    calls.close(fd);
    run(0, PLAIN.split(" "));
    String shown = run(0, "ls", "archive").out();
    String escaped = directory + "/logs/odd\\xff\\x0a\\\\x";
    assertTrue(shown.lines().anyMatch(line -> line.endsWith(escaped)), shown);

    assertEquals("", run(0, "cat", "archive", escaped).out());
    Trial status = run(0, "status", "--state", "state", escaped);
    assertTrue(status.out().contains(escaped), status.out());
    assertTrue(run(0, "ls", "archive", "--only", "odd\\xff*").err().startsWith("1 stream,"));
    run(0, "ship", "--once", "--state", "s2", escaped, "single");
    assertTrue(run(0, "ls", "single").out().contains(escaped));
    // What is no escape is a name.
    String literal = directory.resolve("logs/sub/a\\b").toString();
    Files.write(Path.of(literal), "b".getBytes(StandardCharsets.UTF_8));
    run(0, PLAIN.split(" "));
    assertEquals("b", run(0, "cat", "archive", literal).out());
    assertEquals("b", run(0, "cat", "archive", literal.replace("\\", "\\\\")).out());
  }

  @Test
  void aNameOfWhichNothingCanBeSaidDoesNotKeepTheOthersFromTheirAnswers() throws IOException {
    makeLogs(1);
    run(0, PLAIN.split(" "));
    Trial trial =
        run(3, "status", "--state", "state", "logs/sub/0.log", "logs", "logs/sub/0.log/x");
    List<String> lines = trial.out().lines().toList();
    assertEquals(4, lines.size(), trial.out());
    assertTrue(lines.get(1).startsWith("yes"), trial.out());
  }
}
