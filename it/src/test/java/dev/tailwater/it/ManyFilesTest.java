package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One source has more files than the agent has memory or descriptors for; another has one. */
class ManyFilesTest {
  @TempDir private Path directory;

  private static void make(Path directory, int count, String prefix, String content)
      throws Exception {
    Files.createDirectories(directory);
    for (int i = 0; i < count; i++) {
      Files.writeString(directory.resolve(prefix + i), content);
    }
  }

  private Process start(Site site) throws Exception {
    return site.start(
        "ship",
        "--agent",
        Site.AGENT,
        "--state",
        "state",
        "--max-age",
        "100ms",
        "--drain-deadline",
        "100s",
        "many",
        "logs",
        "archive");
  }

  /** Writes to the file of the other source and waits for it, some times. */
  private static void growAndAwait(Site site, Process agent) throws Exception {
    Path small = site.log("small");
    for (int i = 0; i < 5; i++) {
      Files.writeString(
          small, "line " + i + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      site.awaitDelivered(small);
      assertTrue(agent.isAlive(), site.messages());
    }
  }

  private void assertSurvives(int count, String prefix) throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), count, prefix, "");
      site.runAs(List.of("env", "TAILWATER_JAVA_OPTS=-Xmx96m")); // More would hold half of them.
      Process agent = start(site);
      site.runAs(List.of());
      growAndAwait(site, agent);
      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertTrue(status.out().contains("left out"), status.out());
      site.stop(agent, 3);
      assertEquals(1, site.messages().split("than the agent has memory for", -1).length - 2);
    }
  }

  @Test
  void manyNamesAreLeftOutInPartAndTheOtherSourceIsDelivered() throws Exception {
    assertSurvives(200_000, "f");
  }

  @Test
  void manyLongNamesAreLeftOutInPartAndTheOtherSourceIsDelivered() throws Exception {
    assertSurvives(100_000, "f".repeat(240));
  }

  @Test
  void aSourceWithMoreFilesThanDescriptorsHoldsUpNoOther() throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), 1_500, "f", "tiny");
      site.runAs(List.of("prlimit", "--nofile=300:300"));
      Process agent = start(site);
      site.runAs(List.of());
      growAndAwait(site, agent);
      site.stop(agent, 0);
    }
  }
}
