package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users get wrong and what breaks: a clear message, the right exit code, nothing lost. */
class BadInputTest {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir private Path directory;

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void mode(Path path, String mode) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  /** Nothing is hidden from root, so root runs the program as somebody else. */
  private Site siteOfAnOrdinaryUser() throws Exception {
    Site site = new Site(directory);
    if (TestFileSystems.isRoot()) {
      // Like /tmp: where others could replace its state, the program would refuse to run.
      Files.setAttribute(site.base(), "unix:mode", 01777);
      site.runAs(AS_NOBODY);
      assumeTrue(
          Packaged.run(site.base(), Map.of(), concat(AS_NOBODY, Packaged.launcher(), "--version"))
                  .exitCode()
              == 0,
          "an ordinary user cannot run " + Packaged.launcher());
    }
    return site;
  }

  @Test
  void aStateThatThisUserMayNotEnterIsNotCalledEmpty() throws Exception {
    try (Site site = siteOfAnOrdinaryUser()) {
      Path closed = Files.createDirectory(site.base().resolve("closed"));
      Path state = Files.createDirectory(closed.resolve("state"));
      mode(closed, "---------");
      for (String command : List.of("status", "drain")) {
        Packaged.Run run = site.tailwater(command, "--state", state.toString());
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.err().contains("may not enter the state directory " + state), run.err());
        assertTrue(run.err().contains("Hint: ask as the user of the agent"), run.err());
      }
      mode(closed, "rwx------");
    }
  }

  /** Which fs.protected_hardlinks does not allow: the file system has links all the same. */
  @Test
  void aRestoreSaysThatItMayNotGiveAnotherNameToAFileOfAnotherUser() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root can give a file to another user");
    assumeTrue(
        Files.readString(Path.of("/proc/sys/fs/protected_hardlinks")).strip().equals("1"),
        "this machine lets everybody link to all files");
    try (Site site = siteOfAnOrdinaryUser()) {
      Path one = Files.write(site.log("one"), random(1, 1_000));
      Path other = Files.createLink(site.log("other"), one);
      Packaged.Run ship = site.shipOnce("--directories", "on", "--foreign-hard-links", "ship");
      assertEquals(0, ship.exitCode(), ship.err());
      site.restoreAndCompare();
      Packaged.Run list = site.tailwater("ls", site.archive().toString());
      Path further = list.out().contains(one.toString()) ? other : one;
      Files.delete(site.restored(further));
      Path file = site.restored(further.equals(one) ? other : one);
      Files.setAttribute(file, "unix:uid", 0);
      mode(file, "rw-r--r--");
      Packaged.Run restore = site.restore();
      assertEquals(3, restore.exitCode(), restore.err());
      assertTrue(restore.err().contains("the file belongs to another user"), restore.err());
      assertFalse(Files.exists(site.restored(further)));
      Files.delete(file);
      site.restoreAndCompare();
    }
  }

  /** Whoever may not write to it, because it has its mode already, could not go on. */
  @Test
  void aRestoreGoesOnInDirectoriesThatNobodyMayWriteTo() throws Exception {
    try (Site site = siteOfAnOrdinaryUser()) {
      Path closed = Files.createDirectory(site.log("closed"));
      Files.createDirectory(closed.resolve("inner"));
      Files.write(closed.resolve("long"), random(1, 5_000_000));
      Files.write(closed.resolve("inner/long"), random(2, 5_000_000));
      Files.write(closed.resolve("short"), random(3, 3_000));
      mode(closed.resolve("inner"), "r-xr-xr-x");
      mode(closed, "r-xr-xr-x");
      Packaged.Run ship = site.shipOnce("--directories", "on");
      assertEquals(0, ship.exitCode(), ship.err());
      Packaged.Run first =
          Packaged.run(
              site.base(),
              Map.of(),
              concat(
                  TestFileSystems.isRoot() ? AS_NOBODY : List.of(),
                  "sh",
                  "-c",
                  "ulimit -f 4096; exec \"$@\"",
                  "sh",
                  Packaged.launcher(),
                  "restore",
                  "archive",
                  "restored"));
      assertEquals(3, first.exitCode(), first.err());
      assertTrue(first.err().contains("restored 1 file, 2 failed"), first.err());
      assertTrue(first.err().contains("Hint: the file system, or ulimit -f"), first.err());
      mode(site.restored(closed.resolve("inner")), "---------");
      site.restoreAndCompare();
      assertEquals(
          "r-xr-xr-x",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(site.restored(closed))));
      assertEquals(List.of(), leftovers(site.base().resolve("restored")));
      for (Path parent : List.of(closed, site.restored(closed))) {
        mode(parent, "rwx------");
        mode(parent.resolve("inner"), "rwx------");
      }
    }
  }

  private static List<Path> leftovers(Path restored) throws Exception {
    return Site.files(restored).stream()
        .filter(file -> file.getFileName().toString().startsWith(".tailwater-"))
        .toList();
  }

  @Test
  void aWorkingDirectoryThatWasRemovedGetsAMessage() throws Exception {
    for (String shell : List.of("sh", "bash")) {
      for (String after : List.of("", "mkdir \"$1\";")) {
        String gone = directory.resolve("gone").toString();
        Packaged.Run run =
            Packaged.run(
                directory,
                Map.of(),
                List.of(
                    shell,
                    "-c",
                    "mkdir -p \"$1\"; cd \"$1\"; rmdir \"$1\";"
                        + after
                        + " exec $0 \"$2\" --version",
                    shell,
                    gone,
                    Packaged.launcher()));
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.err().contains("tailwater: the working directory does not"), run.err());
        assertTrue(run.err().contains("Hint: change to a directory"), run.err());
        assertFalse(run.err().contains("Error occurred"), run.err());
      }
    }
  }

  private static List<String> concat(List<String> first, String... then) {
    return Stream.concat(first.stream(), Arrays.stream(then)).toList();
  }

  @Test
  void deliversAndRestoresWhereNothingCanBeUnpackedToTheTemporaryDirectory() throws Exception {
    try (Site site = new Site(directory)) {
      Files.write(site.log("app.log"), random(1, 100_000));
      site.shipTo(site.destination(), Map.of("TAILWATER_JAVA_OPTS", "-Djava.io.tmpdir=/proc/self"));
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship.err());
      site.restoreAndCompare();
    }
  }

  /** Which keeps the owner of a new file from opening it again, unless it gives it another mode. */
  @Test
  void anyUmaskWillDo() throws Exception {
    try (Site site = siteOfAnOrdinaryUser()) {
      Files.write(site.log("app.log"), random(1, 100_000));
      for (String umask : List.of("0777", "0277")) {
        for (List<String> command :
            List.of(
                List.of("ship", "--once", "--state", "state" + umask, "logs", "archive" + umask),
                List.of("ls", "archive" + umask),
                List.of("verify", "archive" + umask),
                List.of("restore", "archive" + umask, "restored" + umask))) {
          Packaged.Run run =
              Packaged.run(
                  site.base(),
                  Map.of(),
                  Stream.of(
                          TestFileSystems.isRoot() ? AS_NOBODY : List.<String>of(),
                          List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"),
                          List.of(Packaged.launcher()),
                          command)
                      .flatMap(List::stream)
                      .toList());
          assertEquals(0, run.exitCode(), umask + " " + command + ": " + run.err());
        }
        Path restored = site.base().resolve("restored" + umask);
        assertEquals(
            -1, Files.mismatch(site.log("app.log"), Site.files(restored).getFirst()), umask);
      }
    }
  }

  @Test
  void whatCannotBeReadIsNamedAndTheRestIsDelivered() throws Exception {
    try (Site site = siteOfAnOrdinaryUser()) {
      Files.write(site.log("open"), random(1, 5000));
      Files.write(site.log("secret"), random(2, 5000));
      Files.createDirectories(site.log("closed"));
      Files.write(site.log("closed/inside"), random(3, 5000));
      mode(site.log("secret"), "---------");
      mode(site.log("closed"), "---------");
      Packaged.Run ship = site.shipOnce();
      assertEquals(3, ship.exitCode(), ship.err());
      assertTrue(ship.err().contains(site.log("secret") + ""), ship.err());
      assertTrue(ship.err().contains(site.log("closed") + ""), ship.err());
      assertTrue(ship.err().contains("EACCES"), ship.err());
      assertFalse(ship.err().contains(site.log("open") + ""), ship.err());
      mode(site.log("secret"), "rw-r--r--");
      mode(site.log("closed"), "rwxr-xr-x");
      assertEquals(0, site.shipOnce().exitCode());
      site.restoreAndCompare();
    }
  }

  @Test
  void aSourceBehindALinkThatOthersCanReplaceIsRefused() throws Exception {
    try (Site site = new Site(directory)) {
      Files.write(site.log("a"), random(1, 100));
      Path shared = Files.createDirectory(site.base().resolve("shared"));
      Files.createSymbolicLink(shared.resolve("link"), site.logs());
      mode(shared, "rwxrwxrwx");
      for (String source : List.of("shared/link", "shared/link/a", "shared/link/*")) {
        Packaged.Run ship = site.tailwater("ship", "--once", "--state", "state", source, "archive");
        assertEquals(2, ship.exitCode(), ship.err());
        assertTrue(ship.err().contains("symbolic link " + shared + "/link"), ship.err());
      }
      mode(shared, "rwxr-xr-x");
      assertEquals(
          0,
          site.tailwater("ship", "--once", "--state", "state", "shared/link", "archive")
              .exitCode());
    }
  }

  @Test
  void aRunningAgentReadsAFileAsSoonAsItMay() throws Exception {
    try (Site site = siteOfAnOrdinaryUser()) {
      Process agent = site.agent();
      Path late = site.log("late");
      Files.write(late, random(4, 5000));
      mode(late, "---------");
      Site.await("the agent complains", () -> site.messages().contains(late.toString()));
      mode(late, "rw-r--r--");
      site.awaitDelivered(late);
      site.stop(agent, 0);
      site.restoreAndCompare();
    }
  }

  @Test
  void aFullDestinationKeepsTheDataAtRiskUntilThereIsSpace() throws Exception {
    try (Site site = new Site(directory);
        MountedFileSystem small = TestFileSystems.tmpfs(256 * 1024)) {
      Files.createSymbolicLink(site.archive(), small.root());
      Files.write(site.log("large"), random(5, 2_000_000));
      Packaged.Run ship = site.shipOnce();
      assertEquals(3, ship.exitCode(), ship.err());
      assertTrue(ship.err().contains("ENOSPC"), ship.err());
      assertTrue(ship.err().contains("2000000"), "says what is left: " + ship.err());
      Packaged.Run remount =
          Packaged.run(
              site.base(),
              Map.of(),
              List.of("mount", "-o", "remount,size=64m", small.root().toString()));
      assertEquals(0, remount.exitCode(), remount.err());
      Packaged.Run again = site.shipOnce();
      assertEquals(0, again.exitCode(), again.err());
      site.restoreAndCompare();
    }
  }

  @Test
  void filesThatAFullDestinationHasNotTakenAreAtRiskAndNotChanged() throws Exception {
    try (Site site = new Site(directory);
        MountedFileSystem small = TestFileSystems.tmpfs(1 << 20)) {
      Files.createSymbolicLink(site.archive(), small.root());
      for (int i = 0; i < 100; i++) {
        Files.write(site.log("f" + i), random(i, i == 42 ? 70_000 : 60_000));
      }
      Packaged.Run ship = site.shipOnce();
      assertEquals(3, ship.exitCode(), ship.err());
      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertFalse(status.out().contains("changed in place"), status.out());
      assertFalse(status.out().contains("not compared"), status.out());
      assertTrue(status.out().matches("(?s).*\\nand \\d+ more files\\n.*"), status.out());
      String answer = site.tailwater("status", "--state", "state", "--json").out();
      JsonText json = JsonText.parse(answer);
      assertTrue(json.number("atRiskFiles") > 20, answer);
      List<JsonText> named = json.objects("atRisk");
      assertEquals(20, named.size());
      assertTrue(named.getFirst().text("path").endsWith("/f42"), "the one with the most is first");
    }
  }

  @Test
  void aDestinationThatGoesAwayAndComesBackMissesNothing() throws Exception {
    try (Site site = new Site(directory)) {
      Process agent = site.agent();
      Files.write(site.log("first"), random(6, 5000));
      site.awaitDelivered(site.log("first"));
      Path away = site.base().resolve("archive.away");
      Files.move(site.archive(), away);
      Files.createFile(site.archive());
      Files.write(site.log("second"), random(7, 5000));
      Site.await("the agent complains", () -> site.messages().contains("problem"));
      Files.delete(site.archive());
      Files.move(away, site.archive());
      site.awaitDelivered(site.log("second"));
      site.stop(agent, 0);
      site.restoreAndCompare();
    }
  }

  @Test
  void aDestinationThatCannotBeIsWrongUsage() throws Exception {
    try (Site site = new Site(directory)) {
      for (String destination :
          List.of("nosuch://bucket/x", "file:relative", "file://elsewhere/x", "file:///a%00b")) {
        Packaged.Run ship =
            site.tailwater("ship", "--once", "--state", "state", "logs", destination);
        assertEquals(2, ship.exitCode(), destination + ": " + ship.err());
        assertTrue(ship.err().contains("Hint:"), ship.err());
      }
    }
  }

  @Test
  void theWrongKeyOpensNothingAndSaysSo() throws Exception {
    try (Site site = new Site(directory)) {
      String recipient = StandardToolsTest.keygen(site.base(), "right.txt");
      StandardToolsTest.keygen(site.base(), "wrong.txt");
      Files.write(site.log("a"), random(8, 5000));
      assertEquals(0, site.shipOnce("--encrypt-to", recipient).exitCode());
      Packaged.Run wrong = site.restore("--identity", "wrong.txt");
      assertEquals(1, wrong.exitCode(), wrong.err());
      assertTrue(wrong.err().contains("identit") || wrong.err().contains("key"), wrong.err());
      assertFalse(Files.exists(site.restored(site.log("a"))), "a file that nothing is known of");
      Packaged.Run none = site.restore();
      assertEquals(1, none.exitCode(), none.err());
      site.restoreAndCompare("--identity", "right.txt");
    }
  }

  @Test
  void aDamagedSegmentIsNamedAndTheRestIsRestored() throws Exception {
    try (Site site = new Site(directory)) {
      Files.write(site.log("bad"), random(9, 50_000));
      Files.write(site.log("good"), random(10, 50_000));
      assertEquals(0, site.shipOnce().exitCode());
      Path segment =
          site.segments().stream()
              .filter(s -> s.toString().contains("bad"))
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(segment);
      bytes[bytes.length / 2] ^= 1;
      Files.write(segment, bytes);
      Packaged.Run restore = site.restore();
      assertEquals(3, restore.exitCode(), restore.err());
      assertTrue(restore.err().contains(segment.getFileName().toString()), restore.err());
      assertEquals(-1, Files.mismatch(site.log("good"), site.restored(site.log("good"))));
      Packaged.Run verify = site.tailwater("verify", "archive");
      assertFalse(verify.exitCode() == 0, verify.err());
    }
  }

  @Test
  void aTypoInTheConfigurationIsNamedWithItsLineAndTheRightWord() throws Exception {
    try (Site site = new Site(directory)) {
      Files.writeString(
          site.base().resolve("tailwater.yaml"),
          "sources: [logs]\ndestination: archive\nmax_aeg: 1s\n");
      for (List<String> command :
          List.of(
              List.of("check", "tailwater.yaml"), List.of("ship", "--config", "tailwater.yaml"))) {
        Packaged.Run run = site.tailwater(command.toArray(String[]::new));
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().contains("max_aeg"), run.err());
        assertTrue(run.err().contains("3"), "the line: " + run.err());
        assertTrue(run.err().contains("max_age"), run.err());
      }
    }
  }

  @Test
  void aStateDirectoryThatCannotBeWrittenStopsTheStart() throws Exception {
    try (Site site = new Site(directory);
        MountedFileSystem readOnly = TestFileSystems.tmpfs(1 << 20)) {
      Files.write(site.log("a"), random(11, 100));
      readOnly.remountReadOnly();
      Packaged.Run ship =
          site.tailwater(
              "ship", "--once", "--state", readOnly.root() + "/state", "logs", "archive");
      assertEquals(1, ship.exitCode(), ship.err());
      assertTrue(ship.err().contains(readOnly.root().toString()), ship.err());
      assertTrue(ship.err().contains("Hint:"), ship.err());
    }
  }

  /** As on a disk that has no inode left. */
  @Test
  void anAgentThatCannotMakeItsControlSocketDeliversAllTheSame() throws Exception {
    try (Site site = new Site(directory)) {
      Files.write(site.log("a"), random(13, 100));
      site.stop(site.agent(), 0);
      Path inTheWay = Files.createDirectories(directory.resolve("state/.bind/in-the-way"));
      Files.write(site.log("b"), random(14, 100));
      Process agent = site.agent();
      Site.await("it says so", () -> site.messages().contains("trying again: control socket"));
      site.stop(agent, 0);
      assertTrue(site.messages().contains("Hint: delivery goes on"), site.messages());
      site.restoreAndCompare();
      Files.delete(inTheWay);
      Process next = site.agent();
      Packaged.Run drain = site.tailwater("drain", "--state", "state");
      assertEquals(0, drain.exitCode(), drain.err());
      site.stop(next, 0);
    }
  }

  @Test
  void aSourceThatIsNotThereYetIsWaitedFor() throws Exception {
    try (Site site = new Site(directory)) {
      Files.delete(site.logs());
      Process agent = site.agent();
      Files.createDirectories(site.logs());
      Files.write(site.log("a"), random(12, 100));
      site.awaitDelivered(site.log("a"));
      site.stop(agent, 0);
      site.restoreAndCompare();
    }
  }
}
