package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that may open far fewer files than there are: it says so, and nothing else breaks. */
class FewDescriptorsTest {
  private static final int FILES = 500;

  @TempDir Path directory;

  private static void writeLogs(Site site) throws Exception {
    for (int i = 0; i < FILES; i++) {
      Path below = Files.createDirectories(site.logs().resolve("service-" + (char) ('a' + i % 20)));
      Files.writeString(below.resolve(i + ".log"), "line\n".repeat(1 + i * 50));
    }
  }

  private static Process agent(Site site, int limit) throws Exception {
    site.runAs(List.of("prlimit", "--nofile=" + limit + ":" + limit));
    return site.agent();
  }

  private static long problems(Site site) {
    return site.messages().lines().filter(line -> line.contains("problem")).count();
  }

  @ParameterizedTest
  @ValueSource(ints = {96, 128, 256})
  void everythingIsDeliveredAFewFilesAtATime(int limit) throws Exception {
    try (Site site = new Site(directory)) {
      writeLogs(site);
      Process agent = agent(site, limit);
      Packaged.Run drain = site.tailwater("drain", "--state", "state");
      assertTrue(drain.exitCode() == 0 || drain.exitCode() == 3, drain.err());
      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertTrue(status.out().contains(Site.AGENT), status.out() + status.err());
      site.stop(agent, 0);
      assertTrue(problems(site) <= 10, site.messages());
      site.runAs(List.of());
      site.restoreAndCompare();
    }
  }

  @Test
  void whatIsLeftIsWrittenDownThoughThereIsNoDescriptorLeft() throws Exception {
    try (Site site = new Site(directory)) {
      writeLogs(site);
      Process agent = agent(site, 96);
      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertEquals("", status.err());
      site.stop(agent, 0);
      assertTrue(Files.exists(site.archive()), site.messages());
      Packaged.Run ls = site.tailwater("ls", "archive");
      assertTrue(ls.err().contains("left nothing behind"), ls.err());
    }
  }
}
