package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static Process agent(Site site, int limit, String... options) throws Exception {
    site.runAs(List.of("prlimit", "--nofile=" + limit + ":" + limit));
    return site.agent(options);
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
  void aRestoreWithFewDescriptorsIsComplete() throws Exception {
    try (Site site = new Site(directory)) {
      for (int i = 0; i < 1000; i++) {
        Path below = Files.createDirectories(site.logs().resolve("service-" + i % 50));
        Files.writeString(below.resolve(i + ".log"), "line " + i + "\n");
      }
      site.stop(site.agent(), 0);
      site.runAs(List.of("prlimit", "--nofile=64:64"));
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

  @Test
  void statusSaysWhoseFilesWait() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can give files away");
    try (Site site = new Site(directory)) {
      writeLogs(site);
      for (Path file : Site.files(site.logs())) {
        int owner = file.startsWith(site.log("service-a")) ? 1001 : 1002;
        Files.setAttribute(file, "unix:uid", owner);
      }
      Process agent = agent(site, 96, "--bandwidth", "100B/s");
      Pattern wait =
          Pattern.compile(
              "and (\\d+) files that wait to be opened, with whatever is written to them"
                  + " \\(2 owners: (\\d+) of user 1002, (\\d+) of user 1001\\)");
      Matcher said = wait.matcher("");
      Site.await(
          "files of both wait", () -> site.said().object("watching").number("waitingOwners") == 2);
      Site.await(
          "status says so",
          () -> said.reset(site.tailwater("status", "--state", "state").out()).find());
      assertEquals(number(said, 1), number(said, 2) + number(said, 3), said.group());
      site.stop(agent, 0);
      site.runAs(List.of());
      site.restoreAndCompare();
    }
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
