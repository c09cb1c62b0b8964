package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real logrotate rotates the log of a program that writes all the time. */
class LogrotateTest {
  private static final Pattern LINE =
      Pattern.compile("line (\\d+) of a program that is under load\n");
  private static final int ROTATIONS = 5;

  @TempDir private Path directory;

  /**
   * Rotates under load, with an agent that is killed in the middle.
   *
   * @return how many lines were written
   */
  private static long rotate(Site site, String... directives) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/logrotate")), "logrotate is not installed");
    Files.setPosixFilePermissions(site.logs(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Path config = site.base().resolve("logrotate.conf");
    Files.writeString(
        config,
        site.log("app.log")
            + " {\n  rotate 9\n  missingok\n  nomail\n  "
            + String.join("\n  ", directives)
            + "\n}\n");
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    Process agent = site.agent();
    try (LineWriter writer = new LineWriter(site.log("app.log"))) {
      for (int i = 0; i < ROTATIONS; i++) {
        writer.awaitMore(1500);
        boolean dies = i == ROTATIONS / 2;
        if (dies) {
          // A file that is deleted before it is delivered goes with the agent that has it open.
          site.tailwater("drain", "--state", "state");
        }
        Packaged.Run run =
            Packaged.run(
                site.base(),
                Map.of(),
                List.of(
                    "/usr/sbin/logrotate",
                    "--force",
                    "--state",
                    site.base().resolve("logrotate.state").toString(),
                    config.toString()));
        assertEquals(0, run.exitCode(), run.err());
        if (i == 0) {
          site.awaitDelivered(site.log("app.log.1")); // The agent may only just have begun.
        }
        if (dies) {
          site.kill(agent);
          writer.awaitMore(500);
          agent = site.agent();
          site.awaitDelivered(site.log("app.log.1")); // Or nobody has it open when it is deleted.
          writer.awaitMore(500);
        }
      }
      writer.awaitMore(200);
      writer.finish();
      stop(site, agent);
      return writer.lines();
    }
  }

  /**
   * Stops the agent, which has nothing to report but files that logrotate has compressed: it sets
   * their time at last, which looks like a change in place if the agent has read them by then.
   */
  private static void stop(Site site, Process agent) throws InterruptedException {
    if (site.stop(agent) == 0) {
      return;
    }
    String messages = site.messages();
    assertEquals(3, agent.exitValue(), messages);
    List<String> reported =
        messages
            .substring(messages.lastIndexOf("tailwater: delivered "))
            .lines()
            .filter(line -> line.startsWith("  "))
            .toList();
    assertFalse(reported.isEmpty(), messages);
    assertTrue(
        reported.stream().allMatch(line -> line.matches(".*\\.gz .*changed in place.*")), messages);
  }

  /** Which lines are in the restored files, each once; none is torn between two of them. */
  private static BitSet linesRestoredOnce(Site site) throws IOException {
    BitSet seen = new BitSet();
    for (Path file : Site.files(site.restored(site.logs()))) {
      if (file.toString().contains(".gz")) {
        continue;
      }
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      Matcher matcher = LINE.matcher(text);
      int end = 0;
      while (matcher.find()) {
        assertEquals(end, matcher.start(), file + " has something else between its lines");
        end = matcher.end();
        int number = Integer.parseInt(matcher.group(1));
        assertTrue(!seen.get(number), "line " + number + " is there twice, also in " + file);
        seen.set(number);
      }
      assertEquals(text.length(), end, file + " ends within a line");
    }
    return seen;
  }

  private static void requireAll(long lines, BitSet restored, Site site) {
    StringBuilder missing = new StringBuilder();
    int from = restored.nextClearBit(0);
    while (from < lines) {
      int present = restored.nextSetBit(from);
      long to = present < 0 ? lines : present;
      missing.append("lines ").append(from).append(" to ").append(to - 1).append(" are missing\n");
      from = restored.nextClearBit((int) to);
    }
    assertEquals("", missing.toString(), site.messages());
    assertEquals(lines, restored.cardinality(), "lines");
  }

  @Test
  void everyLineIsRestoredOnceAfterRotationByRenaming() throws Exception {
    try (Site site = new Site(directory)) {
      long lines = rotate(site, "nocompress", "create");
      site.restoreAndCompare();
      requireAll(lines, linesRestoredOnce(site), site);
    }
  }

  @Test
  void everyLineIsRestoredOnceThoughRotatedFilesAreCompressedAndDeleted() throws Exception {
    try (Site site = new Site(directory)) {
      long lines = rotate(site, "compress", "delaycompress", "create");
      site.restoreAndCompare();
      BitSet inOriginals = linesRestoredOnce(site);
      assertTrue(
          Site.files(site.logs()).stream().anyMatch(file -> file.toString().endsWith(".gz")),
          "something was compressed");
      requireAll(lines, inOriginals, site); // Also of files that are deleted by now.
    }
  }

  /** Lines that come between copying and truncating are lost to whoever reads the files. */
  @Test
  void everythingThatIsThereIsRestoredAfterRotationByCopying() throws Exception {
    try (Site site = new Site(directory)) {
      rotate(site, "nocompress", "copytruncate");
      Packaged.Run restore = site.restore();
      assertTrue(
          restore.exitCode() == 0 || restore.err().contains("truncated"),
          "only what was truncated unread may be missing: " + restore.err());
      site.compare(restore);
      assertTrue(Site.files(site.restored(site.logs())).size() > ROTATIONS, "files restored");
    }
  }
}
