package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.report.JsonText;
import dev.tailwater.posix.testkit.InMemory;
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
  /** Neither all names nor all files fit into it. */
  private static final List<String> SMALL_HEAP = List.of("env", "TAILWATER_JAVA_OPTS=-Xmx64m");

  @TempDir(factory = InMemory.class)
  private Path directory;

  private static void make(Path directory, int count, String prefix, String content)
      throws Exception {
    Files.createDirectories(directory);
    for (int i = 0; i < count; i++) {
      Files.writeString(directory.resolve(prefix + i), content);
    }
  }

  private Process start(Site site, String drainDeadline) throws Exception {
    return site.start(
        "ship",
        "--agent",
        Site.AGENT,
        "--state",
        "state",
        "--max-age",
        "100ms",
        "--drain-deadline",
        drainDeadline,
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

  /** Waits until the names fill their part of the memory: only then are any left out. */
  private static void awaitLeftOut(Site site) throws Exception {
    Site.await("names are left out", () -> site.said().object("watching").number("leftOut") > 0);
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
  void aSearchThatWaitsForRoomHoldsUpNoOtherSource() throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), 100_000, "f", "");
      site.runAs(SMALL_HEAP);
      Process agent = start(site, "5s");
      site.runAs(List.of());
      growAndAwait(site, agent);
      Site.await("the search waits", () -> site.said().object("watching").isTrue("searchWaits"));
      Site.await("status says so", () -> status(site).contains("not looked for until then"));
      growAndAwait(site, agent);
      // There was no time to look for the others, or no memory for their names.
      site.stop(agent, 3);
    }
  }

  @Test
  void manyLongNamesAreLeftOutInPartAndTheOtherSourceIsDelivered() throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), 50_000, "f".repeat(240), "");
      site.runAs(SMALL_HEAP);
      Process agent = start(site, "100s");
      site.runAs(List.of());
      growAndAwait(site, agent);
      awaitLeftOut(site);
      growAndAwait(site, agent);
      site.stop(agent, 3);
      assertEquals(1, site.messages().split("than the agent has memory for", -1).length - 2);
    }
  }

  @Test
  void aSourceWithMoreFilesThanDescriptorsHoldsUpNoOther() throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), 1_500, "f", "tiny");
      site.runAs(List.of("prlimit", "--nofile=300:300"));
      Process agent = start(site, "100s");
      site.runAs(List.of());
      growAndAwait(site, agent);
      site.stop(agent, 0);
      assertAllComplete(site, 1_501);
    }
  }

  /**
   * More than a record names; some are open, most are closed, some have other names since. The
   * first run has descriptors for all: where they take turns, 11 000 files take a minute.
   */
  @Test
  void everyOneOfManyFilesIsKnownToBeComplete() throws Exception {
    try (Site site = new Site(directory)) {
      Path many = site.base().resolve("many");
      make(many, 11_000, "f", "tiny");
      shipOnceAndExpectAll(site);
      site.runAs(List.of("prlimit", "--nofile=300:300"));
      Process agent = start(site, "100s");
      Site.await("all were found", () -> !site.said().object("watching").isTrue("searching"));
      for (int i = 0; i < 100; i++) {
        Files.move(many.resolve("f" + i * 100), many.resolve("renamed" + i));
        Files.delete(many.resolve("f" + (i * 100 + 1)));
        Files.writeString(many.resolve("f" + (i * 100 + 2)), "more", StandardOpenOption.APPEND);
      }
      growAndAwait(site, agent);
      site.stop(agent, 0);
      assertAllComplete(site, 0);
      shipOnceAndExpectAll(site);
    }
  }

  private static void shipOnceAndExpectAll(Site site) throws Exception {
    Packaged.Run once =
        site.tailwater(
            "ship", "--once", "--agent", Site.AGENT, "--state", "state", "many", "logs", "archive");
    assertEquals(0, once.exitCode(), once.err());
    assertAllComplete(site, 0);
  }

  /**
   * Asserts that the archive has all of each file, and says so.
   *
   * @param named how many of them the record of the end names; 0 where sums tell it
   */
  private static void assertAllComplete(Site site, int named) throws Exception {
    Path record = site.archive().resolve(Site.AGENT + "/~left-behind.json");
    assertEquals(named, JsonText.parse(Files.readString(record)).texts("complete").size());
    Packaged.Run ls = site.tailwater("ls", "--expect-complete", "archive");
    assertEquals(0, ls.exitCode(), ls.err());
  }

  @Test
  void theStateOfManyFilesIsReadInASmallHeap() throws Exception {
    try (Site site = new Site(directory)) {
      make(site.base().resolve("many"), 10_000, "f".repeat(240), "");
      assertEquals(
          0,
          site.tailwater("ship", "--once", "many", "archive", "--state", "state").exitCode(),
          site.messages());
      site.runAs(List.of("env", "TAILWATER_JAVA_OPTS=-Xmx12m"));
      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertEquals(0, status.exitCode(), status.err());
      assertTrue(status.out().contains("10000"), status.out());
    }
  }
}
