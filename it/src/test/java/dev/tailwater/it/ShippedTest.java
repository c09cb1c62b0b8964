package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files go in at one end of the packaged program and come out at the other. */
class ShippedTest {
  @TempDir private Path directory;

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void everyKindOfFileComesBackWithModeAndTime() throws Exception {
    try (Site site = new Site(directory)) {
      Files.createDirectories(site.log("deep/er"));
      Files.write(site.log("empty"), new byte[0]);
      Files.write(site.log("one byte"), new byte[] {0});
      Files.write(site.log("deep/er/random"), random(1, 12_345_678));
      Files.writeString(site.log("carriage.txt"), "a\r\nb\rc\n\nno newline");
      Path old = site.log("old");
      Files.write(old, random(2, 500));
      Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("r--r-----"));
      Files.setLastModifiedTime(
          old, FileTime.from(Instant.ofEpochSecond(981_173_106, 123_456_789)));
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship.err());
      site.restoreAndCompare();
      assertEquals(
          Files.getPosixFilePermissions(old), Files.getPosixFilePermissions(site.restored(old)));
      assertEquals(Files.getLastModifiedTime(old), Files.getLastModifiedTime(site.restored(old)));
    }
  }

  private static void run(Site site, String... command) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin", command[0])), command[0] + " is not installed");
    Packaged.Run run = Packaged.run(site.base(), Map.of(), List.of(command));
    assertEquals(0, run.exitCode(), run.err());
  }

  @Test
  void timesThatAreSetAfterTheBytesWereDeliveredComeBack() throws Exception {
    try (Site site = new Site(directory)) {
      Path elsewhere = Files.createDirectory(site.base().resolve("original"));
      Path original = elsewhere.resolve("unpacked");
      Files.write(original, random(4, 3_000_000));
      Files.setLastModifiedTime(original, FileTime.from(Instant.ofEpochSecond(1_000_000_007, 89)));
      Path touched = Files.write(site.log("touched"), random(5, 100));
      Path synchronizedFile = Files.write(site.log("synchronized"), Files.readAllBytes(original));
      Process agent = site.agent();
      site.awaitDelivered(touched);
      site.awaitDelivered(synchronizedFile);
      run(site, "touch", "-d", "2001-02-03 04:05:06.789", touched.toString());
      run(site, "rsync", "-t", "--size-only", original.toString(), synchronizedFile.toString());
      run(site, "cp", "-p", original.toString(), site.log("copied").toString());
      run(site, "tar", "-C", elsewhere.toString(), "-cf", "a.tar", "unpacked");
      run(site, "tar", "-C", site.logs().toString(), "-xf", "a.tar");
      site.stop(agent, 0);
      site.restoreAndCompare();
      assertEquals(
          Files.getLastModifiedTime(original), Files.getLastModifiedTime(synchronizedFile));
      for (String name : List.of("touched", "synchronized", "copied", "unpacked")) {
        assertEquals(
            Files.getLastModifiedTime(site.log(name)),
            Files.getLastModifiedTime(site.restored(site.log(name))),
            name);
      }
    }
  }

  @Test
  void onceSendsNothingAgainEvenWithoutItsState() throws Exception {
    try (Site site = new Site(directory)) {
      Files.write(site.log("a"), random(3, 100_000));
      assertEquals(0, site.shipOnce().exitCode());
      List<Path> before = site.segments();
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(before, site.segments(), "after another run");
      Files.move(site.base().resolve("state"), site.base().resolve("state.lost"));
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(before, site.segments(), "after the loss of the state");
    }
  }

  @Test
  void nothingIsMissingOrTwiceThoughTheAgentIsKilledAgainAndAgain() throws Exception {
    try (Site site = new Site(directory)) {
      try (LineWriter writer = new LineWriter(site.log("busy.log"))) {
        for (int i = 0; i < 4; i++) {
          Process agent = site.agent();
          writer.awaitMore(400);
          site.kill(agent);
        }
        writer.finish();
      }
      site.stop(site.agent(), 0);
      site.restoreAndCompare();
      List<Path> restored = Site.files(site.base().resolve("restored"));
      assertEquals(1, restored.size(), "files: " + restored);
    }
  }

  @Test
  void statusOfAFileTellsByItsExitCodeWhetherItIsDelivered() throws Exception {
    try (Site site = new Site(directory)) {
      Path file = site.log("a");
      Files.write(file, random(4, 1000));
      Process agent = site.agent();
      site.awaitDelivered(file);
      Files.write(file, random(5, 1000), StandardOpenOption.TRUNCATE_EXISTING);
      site.awaitDelivered(file);
      site.stop(agent, 0);
      assertEquals(0, status(site, file), "the agent is down, the file is as it was");
      Files.write(file, random(6, 10), StandardOpenOption.APPEND);
      assertEquals(3, status(site, file), "the agent is down, the file has grown");
      Files.write(file, random(7, 1000), StandardOpenOption.TRUNCATE_EXISTING);
      assertEquals(3, status(site, file), "the agent is down, the file has other bytes");
      assertEquals(0, site.shipOnce().exitCode());
      assertEquals(0, status(site, file), "delivered again");
      site.restoreAndCompare();
    }
  }

  private static int status(Site site, Path file) throws Exception {
    return site.tailwater("status", "--state", "state", file.toString()).exitCode();
  }

  @Test
  void aSecondAgentIsToldThePidOfTheFirst() throws Exception {
    try (Site site = new Site(directory)) {
      Process first = site.agent();
      Packaged.Run second = site.shipOnce();
      assertEquals(1, second.exitCode(), second.err());
      assertTrue(second.err().contains(String.valueOf(first.pid())), second.err());
      site.stop(first, 0);
    }
  }

  @Test
  void sigtermReadsEveryFileToItsEnd() throws Exception {
    try (Site site = new Site(directory)) {
      Process agent = site.agent("--max-age", "1h");
      for (int i = 0; i < 50; i++) {
        Files.write(site.log("file-" + i), random(i, 1000 * i));
      }
      site.stop(agent, 0);
      site.restoreAndCompare();
    }
  }
}
