package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
      site.runAs(List.of("env", "TAILWATER_JAVA_OPTS=-Xmx64m")); // So that not all names fit.
      Process agent = start(site);
      site.runAs(List.of());
      growAndAwait(site, agent);
      awaitLeftOut(site);
      growAndAwait(site, agent);
      site.stop(agent, 3);
      assertEquals(1, site.messages().split("than the agent has memory for", -1).length - 2);
    }
  }

  /** Waits until the names fill their part of the memory: only then are any left out. */
  private static void awaitLeftOut(Site site) throws Exception {
    Site.await("names are left out", () -> status(site).contains("left out"));
    // However many files wait, the problem is told once each time that this begins.
    String status = status(site);
    Matcher times = Pattern.compile("problem, (\\d+) times").matcher(status);
    while (times.find()) {
      assertTrue(Integer.parseInt(times.group(1)) < 100, status);
    }
  }

  private static String status(Site site) throws Exception {
    return site.tailwater("status", "--state", "state").out();
  }

  @Test
  void manyNamesAreLeftOutInPartAndTheOtherSourceIsDelivered() throws Exception {
    assertSurvives(100_000, "f");
  }

  @Test
  void manyLongNamesAreLeftOutInPartAndTheOtherSourceIsDelivered() throws Exception {
    assertSurvives(50_000, "f".repeat(240));
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
