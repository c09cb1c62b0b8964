package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.Signals;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import dev.tailwater.posix.testkit.fuse.FuseRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a file server, or the file system of a directory, can do to a running agent of the packaged
 * program. The server is another process behind FUSE, without rename flags as NFS. Needs FUSE.
 */
class FileServerOutagesTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path directory;

  private static Path append(Site site, String text) throws IOException {
    return Files.writeString(
        site.log("app.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** libfuse removes what was open when it was unlinked a moment later, perhaps meanwhile. */
  private static void restoreAndRequireNothingTwice(Site site, Path archive) throws Exception {
    // The end of an agent has 5 s to remove what a merged segment replaces; a start does the rest.
    assertEquals(0, site.shipOnce().exitCode());
    site.restoreAndCompare();
    Outage.requireNothingTwice(Site.files(archive).stream().map(Path::toString).toList());
  }

  @Test
  void aFileServerThatStallsFailsIsKilledAndComesBackHasEverythingOnce() throws Exception {
    try (FuseFileSystem server = FuseFileSystem.mount(FuseOptions.direct().withoutRenameFlags());
        Site site = new Site(directory);
        LineWriter writer = new LineWriter(site.log("busy.log"))) {
      Path archive = server.root().resolve("archive");
      site.shipTo(archive.toString(), Map.of());
      Outage outage = new Outage(site);
      Process agent = site.agent();
      site.awaitDelivered(append(site, "before\n"));

      Signals.send("STOP", server.server());
      Path big = Files.write(site.log("big"), random(100 * MEBIBYTE));
      outage.awaitAtRisk(80L * MEBIBYTE);
      Signals.send("CONT", server.server());
      outage.awaitHealed(big);

      for (FuseRequest request : List.of(FuseRequest.FSYNC, FuseRequest.FLUSH)) {
        for (Errno errno : List.of(Errno.EDQUOT, Errno.EIO)) {
          server.fail(request, errno, Long.MAX_VALUE);
          append(site, request + " fails with " + errno + "\n");
          outage.awaitReported(errno.toString());
          server.heal();
          outage.awaitHealed(site.log("app.log"));
        }
      }
      server.fail(FuseRequest.CREATE, Errno.ESTALE, Long.MAX_VALUE);
      append(site, "stale\n");
      outage.awaitReported("ESTALE");
      server.heal();
      server.repeat(FuseRequest.LINK, 3);
      outage.awaitHealed(append(site, "lost answers\n"));

      server.killServer();
      append(site, "while it is away\n");
      outage.awaitReported("ENOTCONN");
      writer.awaitMore(200);
      server.restartServer();
      outage.awaitHealed(append(site, "after\n"));
      writer.finish();
      Outage.requireBoundedMemory(agent);
      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, server.files().resolve("archive"));
    }
  }

  @Test
  void aStalledFileServerHoldsUpNeitherTheOtherDestinationNorTheEnd() throws Exception {
    try (FuseFileSystem server = FuseFileSystem.mount(FuseOptions.direct().withoutRenameFlags());
        Site site = new Site(directory)) {
      Path config =
          Files.writeString(
              site.base().resolve("tailwater.yaml"),
              "agent: "
                  + Site.AGENT
                  + "\nstate: state\nsources: [logs]\nmax_age: 100ms\ndrain_deadline: 3s\n"
                  + "destinations:\n  - uri: archive\n    name: here\n  - uri: "
                  + server.root().resolve("archive")
                  + "\n    name: away\n");
      Process agent = site.start("ship", "--config", config.toString());
      site.awaitDelivered(append(site, "before\n"));
      Signals.send("STOP", server.server());
      try {
        append(site, "while one is stalled\n");
        Outage outage = new Outage(site);
        outage.awaitAtRisk("away", 1);
        outage.awaitNothingAtRisk("here");
        agent.destroy();
        assertTrue(agent.waitFor(60, TimeUnit.SECONDS), "still runs: " + site.messages());
        assertEquals(3, agent.exitValue(), site.messages());
      } finally {
        Signals.send("CONT", server.server());
      }
      Files.writeString(config, Files.readString(config).replace("3s", "60s"));
      Process second = site.start("ship", "--config", config.toString());
      site.awaitDelivered(site.log("app.log"));
      site.stop(second, 0);
      for (Path archive : List.of(site.archive(), server.root().resolve("archive"))) {
        site.shipTo(archive.toString(), Map.of());
        site.restoreAndCompare("--overwrite");
        Outage.requireNothingTwice(Site.files(archive).stream().map(Path::toString).toList());
      }
    }
  }

  @Test
  void aFullFileSystemIsReportedAndGoesOnWhenThereIsSpace() throws Exception {
    Outage.assumeLongRun();
    try (MountedFileSystem disk = TestFileSystems.tmpfs(12L * MEBIBYTE);
        Site site = new Site(directory)) {
      site.shipTo(disk.root().resolve("archive").toString(), Map.of());
      Outage outage = new Outage(site);
      Process agent = site.agent();
      Path big = Files.write(site.log("big"), random(30 * MEBIBYTE));
      outage.awaitReported("ENOSPC");
      Command.run(List.of("mount", "-o", "remount,size=64m", disk.root().toString()))
          .requireSuccess();
      outage.awaitHealed(big);
      Outage.requireBoundedMemory(agent);
      site.stop(agent, 0);
      restoreAndRequireNothingTwice(site, disk.root().resolve("archive"));
    }
  }
}
