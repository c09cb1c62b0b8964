package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.notice.CloudEndpoints;
import dev.tailwater.delivery.notice.FakeEc2;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program goes down with its machine. */
class NoticeShippedTest {
  private static final long PATIENCE_SECONDS = 120;

  private Site site;

  NoticeShippedTest(@TempDir Path directory) throws Exception {
    this.site = new Site(directory);
  }

  @BeforeEach
  void write() throws Exception {
    Files.writeString(site.log("a.log"), "a line\n".repeat(1000));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void awaitSaid(String text) throws Exception {
    Site.await(text, () -> site.messages().contains(text));
  }

  private void awaitEnd(Process agent, int exitCode) throws Exception {
    assertTrue(agent.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), site.messages());
    assertEquals(exitCode, agent.exitValue(), site.messages());
    Site.assertNoStackTrace(site.messages());
  }

  private String status() throws Exception {
    return site.tailwater("status", "--state", "state").out();
  }

  @Test
  void aSpotInterruptionIsHeardAndEverythingDeliveredWithoutBeingAskedTo() throws Exception {
    try (FakeEc2 ec2 = new FakeEc2()) {
      site.shipTo(
          "archive",
          Map.of(
              "AWS_EC2_METADATA_SERVICE_ENDPOINT",
              ec2.uri().toString(),
              "GCE_METADATA_HOST",
              ec2.uri().getAuthority(),
              CloudEndpoints.AZURE_VARIABLE,
              ec2.uri().toString(),
              "http_proxy",
              "http://127.0.0.1:1"));
      Process agent = site.agent("--max-age", "1h");
      Site.await("the cloud is found", () -> site.said().texts("noticeSources").contains("ec2"));
      assertTrue(status().contains("none from ec2"), status());
      ec2.interrupt("terminate", Instant.now().plusSeconds(15).toString());
      awaitSaid("notice from ec2 (spot interruption, terminate at ");
      Files.writeString(site.log("b.log"), "written when the end was near already");
      awaitEnd(agent, 0);
    }
    assertTrue(site.messages().contains("nothing is left"), site.messages());
    site.restoreAndCompare();
  }

  @Test
  void aFileThatAppearsIsANoticeAndHooksAreRun() throws Exception {
    Files.writeString(
        site.base().resolve("t.yaml"),
        """
        agent: web-1
        state: state
        sources: [logs]
        destination: archive
        max_age: 1h
        notices: {file: down, every: 100ms}
        hooks:
          on_hurry: echo "$TAILWATER_NOTICE" >> logs/hurry.log
          on_safe: [touch, safe]
          on_steady: [touch, steady]
        """);
    Process agent = site.start("ship", "--config", "t.yaml");
    Path down = Files.writeString(site.base().resolve("down"), "3600");
    // Too far away for a hurry.
    awaitSaid("notice from file:" + down);
    Path sooner = Files.writeString(site.base().resolve("sooner"), "600");
    Files.move(sooner, down, StandardCopyOption.ATOMIC_MOVE);
    Site.await("safe", () -> Files.exists(site.base().resolve("safe")));
    assertTrue(status().contains("notice       termination, "), status());
    Files.delete(down);
    Site.await("steady", () -> Files.exists(site.base().resolve("steady")));
    assertTrue(status().contains("none from file:" + down), status());

    // A signal does not wait for the deadline of a notice.
    Path soon = Files.writeString(site.base().resolve("soon"), "500");
    Files.move(soon, down, StandardCopyOption.ATOMIC_MOVE);
    Site.await("hurry again", () -> Files.readAllLines(site.log("hurry.log")).size() == 2);
    Files.writeString(site.log("a.log"), "and another line\n", StandardOpenOption.APPEND);
    agent.destroy();
    awaitEnd(agent, 0);
    site.restoreAndCompare();
  }

  @Test
  void whatCannotBeDeliveredBeforeTheDeadlineIsListed() throws Exception {
    Process agent = site.agent("--notices", "command:test -e down && echo 3");
    site.awaitDelivered(site.log("a.log"));
    Files.move(site.archive(), site.base().resolve("archive.away"));
    Files.createFile(site.archive());
    Files.writeString(site.log("late.log"), "0123456789");
    Files.createFile(site.base().resolve("down"));
    awaitEnd(agent, 3);
    assertTrue(site.messages().contains("late.log  bytes [0, 10)"), site.messages());
  }

  @Test
  void aWrongSettingIsWrongUsage() throws Exception {
    Packaged.Run run = site.shipOnce("--notices", "cloud");
    assertEquals(2, run.exitCode(), run.err());
    assertTrue(run.err().contains("--notices") && run.err().contains("auto, off"), run.err());
  }
}
