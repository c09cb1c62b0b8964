package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent that has lost its state, on a machine whose clock is behind the one of the run before:
 * another host on which a service begins anew, or one that has not asked for the time yet.
 */
class ClockBehindTest {
  /** With its fix for the monotonic clock, threads that wait for a time would turn all the time. */
  private static final List<String> AN_HOUR_BEHIND =
      List.of(
          "env",
          "NO_FAKE_STAT=1",
          "FAKETIME_DONT_FAKE_MONOTONIC=1",
          "FAKETIME_FORCE_MONOTONIC_FIX=0",
          "faketime",
          "-f",
          "-1h");

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void whatIsDeliveredLaterIsTheLaterVersion(String packs) throws Exception {
    try (Site site = new Site(directory)) {
      Path saved = Files.writeString(site.log("saved"), "version one\n");
      Path hidden = Files.writeString(site.log("hidden"), "other\n");
      setMode(hidden, "rw-r--r--");
      assertEquals(0, site.shipOnce("--packs=" + packs).exitCode());

      Files.move(site.base().resolve("state"), site.base().resolve("lost"));
      replace(site, saved, "version TWO\n");
      setMode(hidden, "rw-------");
      site.runAs(AN_HOUR_BEHIND);
      assertEquals(0, site.shipOnce("--packs=" + packs).exitCode(), site::messages);

      site.runAs(List.of());
      Packaged.Run restore = site.restore();
      assertEquals(0, restore.exitCode(), restore::err);
      assertEquals("version TWO\n", Files.readString(site.restored(saved)));
      assertEquals("rw-------", mode(site.restored(hidden)));
    }
  }

  /** A run that follows a killed one numbers arrivals ahead of the clock. */
  @Test
  void aMachineWhoseAgentIsKilledAgainAndAgainIsNotSaidToBeBehind() throws Exception {
    try (Site site = new Site(directory)) {
      for (int life = 0; life < 4; life++) {
        Process agent = site.agent("--packs=on");
        Path file = Files.writeString(site.log("file" + life), "life " + life + "\n");
        site.awaitDelivered(file);
        site.kill(agent);
      }
      assertEquals(0, site.shipOnce("--packs=on").exitCode());
      assertFalse(site.messages().contains("clock"), site::messages);
    }
  }

  /** The name of the run before is in stream.json, and the one since is in a pack. */
  @Test
  void aNameThatIsToldAfterTheClockWasSetBackIsTheLaterOne() throws Exception {
    try (Site site = new Site(directory)) {
      Path first = Files.writeString(site.log("first"), "content\n");
      assertEquals(0, site.shipOnce("--packs=off").exitCode());
      Path second = Files.move(first, site.log("second"));
      assertEquals(0, site.shipOnce("--packs=off").exitCode());

      Path third = Files.move(second, site.log("third"));
      site.runAs(AN_HOUR_BEHIND);
      assertEquals(0, site.shipOnce("--packs=on").exitCode(), site::messages);

      site.runAs(List.of());
      Packaged.Run restore = site.restore();
      assertEquals(0, restore.exitCode(), restore::err);
      assertEquals("content\n", Files.readString(site.restored(third)));
    }
  }

  /** The run before the loss had a clock that was set back, and went on after its own state. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void whatWasToldUnderAClockThatWasSetBackIsTheEarlierVersion(String packs) throws Exception {
    try (Site site = new Site(directory)) {
      Path saved = Files.writeString(site.log("saved"), "version one\n");
      Path hidden = Files.writeString(site.log("hidden"), "other\n");
      setMode(hidden, "rw-r--r--");
      assertEquals(0, site.shipOnce("--packs=" + packs).exitCode());

      site.runAs(AN_HOUR_BEHIND);
      replace(site, saved, "version TWO\n");
      setMode(hidden, "rw-rw----");
      assertEquals(0, site.shipOnce("--packs=" + packs).exitCode(), site::messages);
      Files.move(site.base().resolve("state"), site.base().resolve("lost"));
      replace(site, saved, "three\n");
      setMode(hidden, "rw-------");
      assertEquals(0, site.shipOnce("--packs=" + packs).exitCode(), site::messages);

      site.runAs(List.of());
      Packaged.Run restore = site.restore();
      assertEquals(0, restore.exitCode(), restore::err);
      assertEquals("three\n", Files.readString(site.restored(saved)));
      assertEquals("rw-------", mode(site.restored(hidden)));
    }
  }

  /** Nothing of a killed run tells its time, without packs, but the times of its objects. */
  @Test
  void whatARunDeliveredThatWasKilledIsTheEarlierVersion() throws Exception {
    try (Site site = new Site(directory)) {
      Path saved = Files.writeString(site.log("saved"), "version one\n");
      assertEquals(0, site.shipOnce("--packs=off").exitCode());
      replace(site, saved, "version TWO\n");
      assertEquals(0, site.shipOnce("--packs=off").exitCode());
      Files.delete(site.archive().resolve(Site.AGENT).resolve("~left-behind.json"));

      Files.move(site.base().resolve("state"), site.base().resolve("lost"));
      replace(site, saved, "three\n");
      site.runAs(AN_HOUR_BEHIND);
      Packaged.Run last = site.shipOnce("--packs=off");
      assertEquals(0, last.exitCode(), last::err);
      assertTrue(last.err().contains("the clock of this machine is 3"), last::err);

      site.runAs(List.of());
      Packaged.Run restore = site.restore();
      assertEquals(0, restore.exitCode(), restore::err);
      assertEquals("three\n", Files.readString(site.restored(saved)));
    }
  }

  private static void replace(Site site, Path file, String content) throws Exception {
    Path temporary = Files.writeString(site.base().resolve("temporary"), content);
    Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void setMode(Path file, String mode) throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
