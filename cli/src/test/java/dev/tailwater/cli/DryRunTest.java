package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --dry-run} lists, and that it changes nothing. */
class DryRunTest {
  @TempDir private Path directory;

  @BeforeEach
  void writeLogs() throws IOException {
    Files.createDirectories(directory.resolve("logs/sub"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n".repeat(1000));
    Files.writeString(directory.resolve("logs/sub/b.log"), "text\n");
    Files.writeString(directory.resolve("logs/sub/c.tmp"), "text\n");
  }

  private Trial run(String arguments) {
    return Trial.run(directory, arguments.split(" "));
  }

  /** Runs a command that must change nothing. */
  private Trial unchanged(String arguments) throws IOException {
    Map<String, String> before = everything();
    Trial trial = run(arguments);
    assertEquals(before, everything(), arguments);
    return trial;
  }

  private Map<String, String> everything() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.toList()) {
        files.put(
            path.toString(),
            Files.getLastModifiedTime(path)
                + (Files.isRegularFile(path) ? " " + Files.size(path) : ""));
      }
    }
    return files;
  }

  @Test
  void shipListsWhatItWouldDeliverAndMakesNothing() throws IOException {
    Trial trial = unchanged("ship --dry-run --state state --exclude *.tmp logs archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals(
        "TO DELIVER        SIZE  FILE\n"
            + "   4.9 KiB     4.9 KiB  %1$s/logs/a.log\n".formatted(directory)
            + "       5 B         5 B  %1$s/logs/sub/b.log\n".formatted(directory),
        trial.out());
    assertTrue(trial.err().contains("does not exist yet; ship would make it"), trial.err());
    assertTrue(
        trial.err().contains("dry run, nothing was changed: 2 files, 4.9 KiB would go to file://"),
        trial.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"link logs", "logs link", "link/sub/*.log logs/*", "link/sub logs/sub"})
  void shipSaysThatTwoSourcesLeadToTheSameFilesByALink(String sources) throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), Path.of("logs"));
    Trial trial = unchanged("ship --dry-run --state state " + sources + " archive");
    assertTrue(trial.err().contains("leads to files of source"), trial.err());
    assertEquals(2, trial.err().split("leads to files of source", -1).length, trial.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"link", "link link/sub", "link/a.log logs/sub", "logs logs/sub"})
  void shipSaysNothingOfSourcesWithDifferentFilesOrOnePath(String sources) throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), Path.of("logs"));
    Trial trial = unchanged("ship --dry-run --state state " + sources + " archive");
    assertFalse(trial.err().contains("leads to files of source"), trial.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "file/archive", "file/of/archive"})
  void shipEndsAsTheRunWhereSomethingElseThanADirectoryIs(String destination) throws IOException {
    Files.writeString(directory.resolve("file"), "x");
    String ship = "ship --once --state state logs " + destination;
    Trial trial = unchanged(ship + " --dry-run");
    assertEquals(1, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(directory.resolve("file") + " is no directory"), trial.err());
    Trial run = run(ship);
    assertEquals(1, run.exitCode(), run.err());
    assertTrue(run.err().contains(" is not a directory: "), run.err());
  }

  @Test
  void shipLeavesBytesBehindWhereOneOfSeveralDestinationsCannotBeOpened() throws IOException {
    Files.writeString(directory.resolve("file"), "x");
    Trial trial = unchanged("ship --dry-run --state state logs --to archive --to file");
    assertEquals(3, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("file is no directory"), trial.err());
    assertEquals(4, trial.out().lines().count(), "that does not stop the list");
    Trial bestEffort =
        unchanged("ship --dry-run --state state logs --to archive --to-best-effort file");
    assertEquals(0, bestEffort.exitCode(), bestEffort.err());
  }

  @Test
  void shipListsOnlyWhatTheStateDoesNotHave() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    Trial nothing = unchanged("ship --dry-run --state state logs archive");
    assertEquals(0, nothing.exitCode(), nothing.err());
    assertEquals("", nothing.out());
    assertTrue(nothing.err().contains("0 files, 0 B would go to"), nothing.err());
    assertTrue(nothing.err().contains("3 files, 4.9 KiB are delivered already"), nothing.err());
    Files.writeString(directory.resolve("logs/a.log"), "more", StandardOpenOption.APPEND);
    Trial more = unchanged("ship --dry-run --state state logs archive");
    assertTrue(more.out().contains("       4 B     4.9 KiB  " + directory), more.out());
    assertTrue(more.err().contains("1 file, 4 B would go to"), more.err());
  }

  @Test
  void withoutStateTheDestinationIsAskedWhatItHolds() throws IOException {
    assertEquals(0, run("ship --once --agent web --state state logs archive").exitCode());
    Trial trial = unchanged("ship --dry-run --agent web --state other logs archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals("", trial.out(), trial.err());
    Trial stranger = unchanged("ship --dry-run --agent db --state other logs archive");
    assertEquals(4, stranger.out().lines().count(), stranger.out());
  }

  /** Asserts that the list says what is then shipped, for an agent that lost its state. */
  private void assertTellsWhatIsShipped(int files, String bytes, String problem, String options)
      throws IOException {
    Files.move(
        directory.resolve("state"), Files.createTempDirectory(directory, "lost").resolve("state"));
    String arguments = "--agent web --state state " + options + " logs archive";
    Trial listed = unchanged("ship --dry-run " + arguments);
    assertEquals(0, listed.exitCode(), listed.err());
    String would = files + " files, " + bytes + " would go to";
    assertTrue(listed.err().contains(would), listed.err());
    assertTrue(listed.err().contains(problem), listed.err());
    Trial shipped = run("ship --once " + arguments);
    assertEquals(0, shipped.exitCode(), shipped.err());
    assertTrue(shipped.err().contains("delivered " + bytes), shipped.err());
    assertTrue(shipped.err().contains(problem), shipped.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "on"})
  void withoutStateOnlyWhatIsSignedIsDelivered(String packs) throws IOException {
    run("keygen --signing -o agent.key");
    run("keygen --signing -o other.key");
    String common = "--packs " + packs + " --signing-key-file ";
    run("ship --once --agent web --state state " + common + "agent.key logs archive");
    assertTellsWhatIsShipped(0, "0 B", "", common + "agent.key");
    assertTellsWhatIsShipped(3, "4.9 KiB", "cannot be trusted", common + "other.key");
    assertTellsWhatIsShipped(0, "0 B", "", common + "other.key");
  }

  /** The key of encrypted packs is in the state, unless it is given. */
  @Test
  void withoutStateAndTheKeyOfPacksEverythingIsShippedAnew() throws IOException {
    String common = "--packs on --encrypt-to " + newRecipient();
    run("ship --once --agent web --state state " + common + " logs archive");
    assertTellsWhatIsShipped(3, "4.9 KiB", "without the content key", common);
  }

  @Test
  void packsThatCannotBeReadAreNamed() throws IOException {
    String common = "--packs on --agent web --encrypt-to " + newRecipient();
    Path key = Files.write(directory.resolve("content.key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    run("ship --once --state state " + common + " logs archive");
    Trial trial =
        unchanged(
            "ship --dry-run --state other --content-check-key-file content.key "
                + common
                + " logs archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("it is not known what file://"), trial.err());
    assertTrue(trial.err().contains("~packs/"), trial.err());
    assertTrue(trial.err().contains("Nothing is delivered"), trial.err());
  }

  @Test
  void eachOfSeveralDestinationsHasItsTotal() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    Trial trial = unchanged("ship --dry-run --state state logs --to archive --to second");
    assertEquals(0, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains(": 0 files, 0 B would go to"), trial.err());
    assertTrue(trial.err().contains(": 3 files, 4.9 KiB would go to"), trial.err());
  }

  @Test
  void exitCodesAreThoseOfShipping() throws IOException {
    assertEquals(3, unchanged("ship --dry-run --once --state s logs absent archive").exitCode());
    assertEquals(0, unchanged("ship --dry-run --state s logs absent archive").exitCode());
    assertEquals(1, unchanged("ship --dry-run --once --state s absent archive").exitCode());
    assertEquals(1, unchanged("ship --dry-run --once --state s logs/*.no archive").exitCode());
    assertEquals(2, unchanged("ship --dry-run --state s logs ftp://h/x").exitCode());
    assertEquals(2, unchanged("ship --dry-run --state s archive/x archive").exitCode());
  }

  @Test
  void aStateThatAnAgentUsesIsLeftAlone() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    try (TransactionLogStore _ = TransactionLogStore.open(directory.resolve("state"))) {
      Trial trial = unchanged("ship --dry-run --state state logs archive");
      assertEquals(1, trial.exitCode(), trial.err());
      assertTrue(trial.err().contains("another agent uses"), trial.err());
      assertTrue(trial.err().contains("tailwater status --state"), trial.err());
    }
  }

  @Test
  void anEmptyStateDirectoryStaysEmpty() throws IOException {
    Files.createDirectory(directory.resolve("state"));
    Trial trial = unchanged("ship --dry-run --state state logs archive");
    assertEquals(0, trial.exitCode(), trial.err());
    assertEquals(4, trial.out().lines().count(), trial.out());
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Path secret = directory.resolve("logs/secret.log");
    Files.writeString(secret, "text");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(secret), "root may do everything");
    Trial trial = unchanged("ship --dry-run --state s logs archive");
    assertEquals(3, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("secret.log"), trial.err());
  }

  @Test
  void restoreListsWhatItWouldWriteAndMakesNothing() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    Trial trial = unchanged("restore --dry-run archive out");
    assertEquals(0, trial.exitCode(), trial.err());
    assertFalse(Files.exists(directory.resolve("out")));
    assertTrue(trial.out().startsWith("   SIZE  WOULD BE  FILE\n"), trial.out());
    assertTrue(trial.out().contains("4.9 KiB  restored  "), trial.out());
    assertTrue(
        trial.err().contains("dry run, nothing was changed: would restore 3 files, 4.9 KiB"),
        trial.err());
  }

  @Test
  void restoreKnowsWhatIsThereAndWhatIsInTheWay() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    assertEquals(0, run("restore archive out --only **/a.log").exitCode());
    Path other = directory.resolve("out" + directory + "/logs/sub/b.log");
    Files.createDirectories(other.getParent());
    Files.writeString(other, "other contents");
    Trial trial = unchanged("restore --dry-run archive out");
    assertEquals(3, trial.exitCode(), trial.err());
    assertTrue(trial.out().contains("already there"), trial.out());
    assertTrue(trial.out().contains("refused"), trial.out());
    assertEquals(trial.exitCode(), run("restore archive out").exitCode());
    Trial replaced = unchanged("restore --dry-run --overwrite archive out");
    assertEquals(0, replaced.exitCode(), replaced.err());
  }

  @Test
  void restoreTellsProgramsTheSameAsARealRestore() throws IOException {
    assertEquals(0, run("ship --once --state state logs archive").exitCode());
    JsonText listed = JsonText.parse(unchanged("restore --dry-run --json archive out").out());
    assertTrue(listed.isTrue("dryRun"));
    JsonText real = JsonText.parse(run("restore --json archive out").out());
    assertFalse(real.has("dryRun"));
    assertEquals(real.number("restoredBytes"), listed.number("restoredBytes"));
    for (int i = 0; i < 3; i++) {
      for (String field : new String[] {"path", "target", "result", "stream"}) {
        assertEquals(
            real.objects("streams").get(i).text(field),
            listed.objects("streams").get(i).text(field));
      }
    }
  }

  private String newRecipient() throws IOException {
    run("keygen -o key.txt");
    return Files.readString(directory.resolve("key.txt"))
        .replaceAll("(?s).*public key: (\\S+).*", "$1");
  }

  @Test
  void lockedStreamsAreKnownBeforeARestore() throws IOException {
    String recipient = newRecipient();
    assertEquals(
        0, run("ship --once --state s --encrypt-to " + recipient + " logs archive").exitCode());
    assertEquals(
        run("restore archive out").exitCode(),
        unchanged("restore --dry-run archive out2").exitCode());
    assertEquals(0, unchanged("restore --dry-run --identity key.txt archive out2").exitCode());
  }
}
