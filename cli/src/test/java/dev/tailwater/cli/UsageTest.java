package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users read when they ask for help, or get it wrong. */
class UsageTest {
  @TempDir private Path directory;

  @Test
  void helpGoesToStdoutAndIsNoFailure() {
    Trial trial = Trial.run(directory, "--help");
    assertEquals(0, trial.exitCode());
    assertTrue(trial.out().startsWith("Usage: tailwater"), trial.out());
    assertEquals("", trial.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ship",
        "restore",
        "verify",
        "compact",
        "ls",
        "cat",
        "status",
        "drain",
        "init",
        "check",
        "schema",
        "estimate",
        "probe",
        "keygen",
        "store",
        "lab",
        "demo",
        "completion"
      })
  void everyCommandExplainsItself(String command) {
    Trial trial = Trial.run(directory, command, "--help");
    assertEquals(0, trial.exitCode());
    assertTrue(trial.out().contains("tailwater " + command), trial.out());
    assertFalse(trial.out().contains("demo-writer"), "what is internal is not shown");
    assertEquals(trial.out(), Trial.run(directory, "help", command).out());
  }

  @Test
  void versionNamesTheProgramAndTheJvm() {
    Trial trial = Trial.run(directory, "--version");
    assertEquals(0, trial.exitCode());
    assertTrue(trial.out().matches("(?s)tailwater \\d+\\.\\d+\\.\\d+.*Java 2[5-9].*"), trial.out());
  }

  @Test
  void aMistypedCommandGetsTheNearestOne() {
    assertUsage("'restroe'", "did you mean 'restore'?", Trial.run(directory, "restroe"));
  }

  @Test
  void aMistypedOptionGetsTheNearestOne() {
    Trial trial = Trial.run(directory, "ship", "--max-aeg", "1s", "a", "b");
    assertUsage("'--max-aeg'", "did you mean '--max-age'?", trial);
  }

  @Test
  void aSourceAloneIsNotEnough() {
    assertUsage("only 'a'", "ship --help", Trial.run(directory, "ship", "a"));
  }

  @Test
  void aWrongValueNamesTheOptionAndWhatIsExpected() {
    Trial trial = Trial.run(directory, "ship", "--max-age", "soon", "a", "b");
    assertUsage("--max-age", "ship --help", trial);
    assertTrue(trial.err().contains("expected a duration such as 500ms"), trial.err());
    assertUsage("--workers", "ship", Trial.run(directory, "ship", "--workers", "0", "a", "b"));
    assertUsage("--agent", "ship", Trial.run(directory, "ship", "--agent", "a/b", "a", "b"));
    assertUsage("--compress", "ship", Trial.run(directory, "ship", "--compress", "lz9", "a", "b"));
  }

  @Test
  void placesAndConfigurationFileExcludeEachOther() {
    assertUsage(
        "--config", "ship --help", Trial.run(directory, "ship", "--config", "x.yaml", "a", "b"));
  }

  @Test
  void checkFindsRecipientsThatCannotBeRead() throws IOException {
    Files.writeString(directory.resolve("keys"), "age1mistyped\n");
    for (String file : new String[] {"absent", "keys", "."}) {
      Files.writeString(
          directory.resolve("c.yaml"),
          "sources: logs\ndestination: archive\nencrypt_to:\n  - " + file + "\n");
      Trial trial = Trial.run(directory, "check", "c.yaml");
      assertEquals(2, trial.exitCode(), file);
      assertTrue(trial.err().startsWith("c.yaml:4:5: encrypt_to: "), trial.err());
      assertTrue(trial.err().contains(directory.resolve(file).normalize() + ""), trial.err());
      Trial ship = Trial.run(directory, "ship", "--once", "--config", "c.yaml", "--state", "s");
      assertEquals(2, ship.exitCode(), ship.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"archive", "archive/", "archive/below", "link", "link/below", "./x/../archive"})
  void aSourceInItsOwnDestinationIsRefusedByCheckAndShip(String source) throws IOException {
    Files.createDirectories(directory.resolve("archive/below"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("archive"));
    Files.writeString(
        directory.resolve("c.yaml"), "destination: archive\nsources:\n  - path: " + source + "\n");
    Trial check = Trial.run(directory, "check", "c.yaml");
    assertEquals(2, check.exitCode(), check.err());
    assertTrue(check.err().startsWith("c.yaml:3:5: sources: "), check.err());
    assertTrue(check.err().contains("lies in the destination"), check.err());
    Trial ship = Trial.run(directory, "ship", "--once", "--state", "s", source, "archive");
    assertUsage("lies in", "move the state or the destination", ship);
    Trial linked = Trial.run(directory, "ship", "--once", "--state", "s", "archive", "link");
    assertUsage("lies in", "move the state or the destination", linked);
  }

  @Test
  void aSourceInItsOwnDestinationIsRefusedThroughABindMountToo() throws Exception {
    Path archive = Files.createDirectories(directory.resolve("archive"));
    Files.createDirectory(archive.resolve("below"));
    Path view = Files.createDirectory(directory.resolve("view"));
    assumeTrue(run("mount", "--bind", archive, view) == 0, "mount --bind is not permitted");
    try {
      for (String source : List.of("view", "view/below")) {
        Trial ship = Trial.run(directory, "ship", "--once", "--state", "s", source, "archive");
        assertUsage("lies in", "move the state or the destination", ship);
      }
    } finally {
      run("umount", view);
    }
  }

  @Test
  void neitherStateNorDestinationIsShippedThroughABindMount() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("a.log"), "text\n");
    Path view = Files.createDirectory(directory.resolve("view"));
    assumeTrue(run("mount", "--bind", data, view) == 0, "mount --bind is not permitted");
    try {
      List<String> ship =
          List.of("ship", "--once", "--state", "data/state", "view", "data/archive");
      for (int i = 0; i < 3; i++) { // The destination is made by the first run.
        Trial once = Trial.run(directory, ship.toArray(String[]::new));
        assertEquals(0, once.exitCode(), once.err());
        Trial ls = Trial.run(directory, "ls", "data/archive");
        assertEquals(1, ls.out().lines().filter(line -> line.contains("view/")).count(), ls.out());
        Trial dry =
            Trial.run(
                directory, "ship", "--dry-run", "--state", "data/state", "view", "data/archive");
        assertTrue(dry.err().contains("1 file, 5 B is delivered already"), dry.err());
        assertEquals("", dry.out());
      }
    } finally {
      run("umount", view);
    }
  }

  private static int run(Object... command) throws Exception {
    return new ProcessBuilder(Arrays.stream(command).map(Object::toString).toList())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void aDestinationInsideASourceIsLeftOutOfIt() throws IOException {
    Files.createDirectories(directory.resolve("logs/archive"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
    for (int i = 0; i < 2; i++) {
      Trial ship = Trial.run(directory, "ship", "--once", "--state", "s", "logs", "logs/archive");
      assertEquals(0, ship.exitCode(), ship.err());
    }
    Trial ls = Trial.run(directory, "ls", "logs/archive");
    assertTrue(ls.out().contains("a.log"), ls.out());
    assertFalse(ls.out().contains("logs/archive"), ls.out());
  }

  @Test
  void checkSaysWhichPlugInIsMissingAndWhere() throws IOException {
    Files.writeString(
        directory.resolve("c.yaml"), "sources: [logs]\ndestination:\n  uri: s3://logs/web\n");
    Map<String, String> environment = Map.of("TAILWATER_PLUGINS", directory + "/plugins");
    Trial trial = Trial.run(directory, environment, "check", "c.yaml");
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(
        trial.err().startsWith("c.yaml:3:3: destination: no destination for scheme s3"),
        trial.err());
    assertTrue(trial.err().contains("Hint: Unpack the package tailwater-s3"), trial.err());
    assertTrue(trial.err().contains(directory + "/plugins/s3"), trial.err());
    Trial json = Trial.run(directory, environment, "check", "--json", "c.yaml");
    assertEquals(2, json.exitCode());
    assertTrue(json.out().contains("no destination for scheme s3"), json.out());
  }

  @Test
  void checkRefusesAFileUriWithAQueryAndAcceptsAPathThatIsNotThere() throws IOException {
    Path file = directory.resolve("c.yaml");
    Files.writeString(file, "sources: [logs]\ndestination: file:///archive?x=1\n");
    Trial refused = Trial.run(directory, "check", "c.yaml");
    assertEquals(2, refused.exitCode());
    assertTrue(refused.err().contains("c.yaml:2:14: destination: a file URI"), refused.err());
    Files.writeString(file, "sources: [logs]\ndestination: not/there\n");
    Trial accepted = Trial.run(directory, "check", "c.yaml");
    assertEquals(0, accepted.exitCode(), accepted.err());
    assertFalse(Files.exists(directory.resolve("not")), "nothing is made");
  }

  @Test
  void aConfigurationFileThatIsNotThereIsWrongUsage() {
    assertUsage(
        "x.yaml: no such configuration file",
        "'tailwater init' writes one; conf/tailwater.yaml",
        Trial.run(directory, "ship", "--config", "x.yaml"));
  }

  @Test
  void whatIsThereAndNoConfigurationFileIsNamedAsWhatItIs() throws IOException {
    Files.createDirectory(directory.resolve("conf"));
    for (String[] command : new String[][] {{"check", "conf"}, {"ship", "--config", "conf"}}) {
      Trial trial = Trial.run(directory, command);
      assertUsage("conf: not a configuration file but a directory", "name the file", trial);
    }
  }

  @Test
  void anUnknownSchemeIsWrongUsageAndKnownOnesAreNamed() {
    assertUsage(
        "unknown scheme ftp; known: az, file, gs, hdfs, s3",
        "./ftp:",
        Trial.run(directory, "ls", "ftp://host/x"));
  }

  @Test
  void aRecipientThatIsNeitherKeyNorFileIsWrongUsage() {
    Trial trial =
        Trial.run(directory, "ship", "--state", "s", "--encrypt-to", "keys.txt", "a", "b");
    assertUsage("neither a public key (age1...) nor a file", "keygen", trial);
  }

  @Test
  void aMistypedPublicKeyIsWrongUsage() {
    Trial trial = Trial.run(directory, "ship", "--encrypt-to", "age1qqqq", "a", "b");
    assertUsage("--encrypt-to", "", trial);
  }

  @Test
  void shippingTheArchiveIntoItselfIsRefused() {
    Trial trial = Trial.run(directory, "ship", "--state", "s", "archive/logs", "archive");
    assertUsage("where Tailwater itself writes", "another directory", trial);
  }

  @ParameterizedTest
  @CsvSource({
    "archive, archive, is or lies in the state directory",
    "archive, archive/below, is or lies in the state directory",
    "archive, link/below, is or lies in the state directory",
    "archive/state, archive, lies in the destination",
    "link/web/state, archive, lies in the destination",
    "archive/state, link, lies in the destination"
  })
  void theStateAndTheArchiveAreKeptApart(String state, String archive, String why)
      throws Exception {
    Files.createDirectory(directory.resolve("archive"));
    Files.createDirectory(directory.resolve("logs"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("archive"));
    for (String way : new String[] {"--once", "--dry-run"}) {
      assertUsage(
          why,
          "keep the state elsewhere",
          Trial.run(directory, "ship", way, "--state", state, "logs", archive));
    }
    Files.writeString(
        directory.resolve("c.yaml"),
        "sources: logs\nstate: " + state + "\ndestinations: [" + archive + "]\n");
    assertUsage(
        why,
        "keep the state elsewhere",
        Trial.run(directory, "ship", "--once", "--config", "c.yaml"));
    Trial check = Trial.run(directory, "check", "c.yaml");
    assertEquals(2, check.exitCode(), check.err());
    assertTrue(check.err().startsWith("c.yaml:3:16: destinations: "), check.err());
    assertTrue(check.err().contains(why), check.err());
    try (Stream<Path> made = Files.list(directory.resolve("archive"))) {
      assertEquals(List.of(), made.toList());
    }
  }

  @Test
  void anArchiveBesideTheStateIsTaken() throws Exception {
    Files.createDirectory(directory.resolve("logs"));
    Trial ship =
        Trial.run(directory, "ship", "--once", "--state", "archive.state", "logs", "archive");
    assertEquals(0, ship.exitCode(), ship.err());
  }

  @Test
  void aPlaceGivenTwiceAsADestinationIsRefused() throws Exception {
    Files.createDirectory(directory.resolve("archive"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("archive"));
    for (String other : new String[] {"archive", "./archive/", "link"}) {
      Trial trial =
          Trial.run(directory, "ship", "--state", "s", "logs", "--to", "archive", "--to", other);
      assertUsage("is given twice", "once", trial);
      Files.writeString(
          directory.resolve("twice.yaml"),
          "sources: logs\ndestinations: [archive, " + other + "]\n");
      Trial check = Trial.run(directory, "check", "twice.yaml");
      assertEquals(2, check.exitCode(), check.err());
      assertTrue(check.err().startsWith("twice.yaml:2:25: destinations: '"), check.err());
      Trial ship = Trial.run(directory, "ship", "--once", "--config", "twice.yaml");
      assertEquals(2, ship.exitCode(), ship.err());
    }
  }

  @Test
  void aSecretInAPlaceThatIsGivenTwiceIsNotPrinted() {
    String place = "s3://KEY:SECRET@bucket/logs";
    Trial trial =
        Trial.run(directory, "ship", "--state", "s", "logs", "--to", place, "--to", place);
    assertUsage("in front of an @", "credentials", trial);
    assertFalse(trial.err().contains("SECRET"), trial.err());
  }

  @Test
  void aBestEffortDestinationAloneIsRefused() {
    assertUsage(
        "needs a destination that is required",
        "ship --help",
        Trial.run(directory, "ship", "logs", "--to-best-effort", "archive"));
    assertUsage("--to", "ship --help", Trial.run(directory, "ship", "logs", "--to", " "));
    assertUsage("nothing to ship", "ship --help", Trial.run(directory, "ship", "--to", "archive"));
  }

  @Test
  void contradictionsAreFoundBeforeTheArchiveIsRead() {
    assertUsage(
        "--files-only leaves out",
        "one of the two",
        Trial.run(directory, "restore", "nowhere", "r", "--files-only", "--extended-attributes"));
    assertUsage(
        "--names-only reads nothing",
        "one of the two",
        Trial.run(directory, "verify", "nowhere", "--names-only", "--against", "logs"));
    assertUsage(
        "absent",
        "",
        Trial.run(
            directory,
            "verify",
            "nowhere",
            "--against",
            "logs",
            "--content-check-key-file",
            "absent"));
    assertUsage(
        "--agent: no agent has the name a/b",
        "shows the agents",
        Trial.run(directory, "ls", "nowhere", "--agent", "a/b"));
    for (String command : new String[] {"ls", "compact"}) {
      assertUsage(
          "--agent: no agent has the name a\\u000ab\n",
          "shows the agents",
          Trial.run(directory, command, "nowhere", "--agent", "a\nb"));
    }
  }

  @Test
  void aMissingArchiveFailsWithAHint() {
    Trial trial = Trial.run(directory, "ls", "nowhere");
    assertEquals(1, trial.exitCode());
    assertTrue(trial.err().contains("no such directory"), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertNoStackTrace(trial);
  }

  @Test
  void withoutAgentStatusAndDrainFailWithAHint() {
    Map<String, String> environment = Map.of("STATE_DIRECTORY", directory.resolve("s").toString());
    for (String command : new String[] {"status", "drain"}) {
      Trial trial = Trial.run(directory, environment, command);
      assertEquals(1, trial.exitCode());
      assertTrue(trial.err().contains("no agent runs on " + directory.resolve("s")), trial.err());
      assertTrue(trial.err().contains("Hint: start one"), trial.err());
    }
  }

  @Test
  void debugShowsWhereItHappened() {
    Trial trial = Trial.run(directory, Map.of("TAILWATER_DEBUG", "1"), "ls", "nowhere");
    assertTrue(trial.err().contains("\tat dev.tailwater."), trial.err());
  }

  @Test
  void controlCharactersInNamesNeverReachTheTerminal() {
    Trial trial = Trial.run(directory, "ls", "no\u001b[31mwhere");
    assertFalse(trial.err().contains("\u001b"), trial.err());
  }

  @Test
  void completionScriptKnowsTheCommands() {
    Trial trial = Trial.run(directory, "completion");
    assertEquals(0, trial.exitCode());
    assertTrue(trial.out().contains("restore"), trial.out());
    assertTrue(trial.out().contains("--drain-deadline"), trial.out());
  }

  @Test
  void keygenWritesAKeyThatOnlyItsOwnerReadsAndNeverOverwrites() throws Exception {
    Trial first = Trial.run(directory, "keygen", "-o", "key.txt");
    assertEquals(0, first.exitCode(), first.err());
    Path key = directory.resolve("key.txt");
    assertEquals("[OWNER_READ, OWNER_WRITE]", sorted(key));
    String secret = Files.readString(key);
    assertTrue(secret.contains("AGE-SECRET-KEY-1"), "a private key");
    assertTrue(first.err().startsWith("Public key: age1"), first.err());
    assertFalse(first.err().contains("SECRET"), "secrets are not shown");

    Trial second = Trial.run(directory, "keygen", "-o", "key.txt");
    assertEquals(1, second.exitCode());
    assertEquals(secret, Files.readString(key));
  }

  private static String sorted(Path file) throws Exception {
    return Files.getPosixFilePermissions(file).stream().sorted().toList().toString();
  }

  private static void assertUsage(String message, String hint, Trial trial) {
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().startsWith("tailwater: "), trial.err());
    assertTrue(trial.err().contains(message), trial.err());
    assertTrue(trial.err().contains("Hint: "), trial.err());
    assertTrue(trial.err().contains(hint), trial.err());
    assertEquals("", trial.out());
    assertNoStackTrace(trial);
  }

  private static void assertNoStackTrace(Trial trial) {
    assertFalse(trial.err().contains("\tat "), trial.err());
  }

  @Test
  void aDestinationWithoutItsPluginSaysWhatToInstallAndWhere() throws IOException {
    Path plugins = Files.createDirectory(directory.resolve("plugins"));
    Trial trial =
        Trial.run(directory, Map.of("TAILWATER_PLUGINS", "plugins"), "ls", "s3://bucket/prefix");
    assertEquals(2, trial.exitCode(), trial.err());
    assertTrue(trial.err().contains("no destination for scheme s3 is installed"), trial.err());
    assertTrue(trial.err().contains("tailwater-s3"), trial.err());
    assertTrue(trial.err().contains(plugins.resolve("s3").toString()), trial.err());
  }
}
