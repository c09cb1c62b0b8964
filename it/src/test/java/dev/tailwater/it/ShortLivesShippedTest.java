package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.cli.report.JsonText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a program deletes soon after it has made them are restored, or counted as missed. */
class ShortLivesShippedTest {
  /** Makes files that live until the agent has each open, and some 10 ms more. */
  private static final String LIVE_UNTIL_OPEN =
      """
      import os, sys, time
      agent, directory, count = "/proc/" + sys.argv[1] + "/fd", sys.argv[2], int(sys.argv[3])
      def is_open(path):
          for fd in os.listdir(agent):
              try:
                  if os.readlink(agent + "/" + fd) == path:
                      return True
              except FileNotFoundError:
                  pass
          return False
      for i in range(count):
          path = os.path.join(directory, "short-%d" % i)
          with open(path, "w") as file:
              file.write("begin of file %d\\n" % i)
              file.flush()
              until = time.monotonic() + 60
              while not is_open(path):
                  if time.monotonic() > until:
                      sys.exit(path + " was not opened")
                  time.sleep(0.001)
              time.sleep(0.02)
              file.write("end of file %d\\n" % i)
          os.unlink(path)
      """;

  /** Makes files and deletes each at once. */
  private static final String BURST =
      """
      import os, sys
      for i in range(int(sys.argv[2])):
          path = os.path.join(sys.argv[1], "burst-%d" % i)
          with open(path, "w") as file:
              file.write("all of file %d\\n" % i)
          os.unlink(path)
      """;

  /** Makes links to nothing and deletes each at once. */
  private static final String LINKS =
      """
      import os, sys
      for i in range(int(sys.argv[2])):
          path = os.path.join(sys.argv[1], "link-%d" % i)
          os.symlink("nowhere", path)
          os.unlink(path)
      """;

  @TempDir private Path directory;

  private static void python(Site site, String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", "-c", script));
    command.addAll(List.of(arguments));
    Packaged.Run run = Packaged.run(site.base(), Map.of(), command);
    assertEquals(0, run.exitCode(), run.err());
  }

  private static void needsPython() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "python3 is not installed");
  }

  /** The contents of the files that come back, each once. */
  private static Set<String> restored(Site site) throws Exception {
    Packaged.Run restore = site.restore();
    assertEquals(0, restore.exitCode(), restore.err());
    Set<String> contents = new TreeSet<>();
    for (Path file : Site.files(site.base().resolve("restored"))) {
      assertTrue(contents.add(Files.readString(file)), file + " is there twice");
    }
    return contents;
  }

  /** What the agent says in the archive that it has missed, for certain or perhaps. */
  private static long missed(Site site, String field) throws IOException {
    String record = Files.readString(site.archive().resolve(Site.AGENT + "/~left-behind.json"));
    return Long.parseLong(record.replaceFirst("(?s).*\"" + field + "\":\\s*(\\d+).*", "$1"));
  }

  private static long countOf(String part, String text) {
    return text.split(part, -1).length - 1L;
  }

  /** Until no thread of the process runs. */
  private static void freeze(Process process) throws Exception {
    signal(process, "STOP");
    Path threads = Path.of("/proc/" + process.pid() + "/task");
    Site.await(
        "every thread is stopped",
        () -> {
          try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
              String status = Files.readString(thread.resolve("status"));
              if (!status.contains("State:\tT")) {
                return false;
              }
            }
          }
          return true;
        });
  }

  private static void signal(Process process, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
    assertEquals(0, kill.waitFor());
  }

  @Test
  void everyByteOfAFileThatLivesForTensOfMillisecondsIsRestored() throws Exception {
    needsPython();
    int count = 100;
    try (Site site = new Site(directory)) {
      Process agent = site.agent();
      python(site, LIVE_UNTIL_OPEN, "" + agent.pid(), "" + site.logs(), "" + count);
      site.stop(agent, 0);
      Set<String> expected = new TreeSet<>();
      for (int i = 0; i < count; i++) {
        expected.add("begin of file " + i + "\nend of file " + i + "\n");
      }
      assertEquals(expected, restored(site));
      Packaged.Run ls = site.tailwater("ls", "archive");
      assertTrue(ls.err().contains("left nothing behind"), ls.err());
    }
  }

  @Test
  void eachFileThatIsDeletedAtOnceIsRestoredOrCounted() throws Exception {
    needsPython();
    int count = 300;
    try (Site site = new Site(directory)) {
      Path kept = Files.writeString(site.log("kept"), "kept\n"); // So that there is an archive.
      Process agent = site.agent();
      site.awaitDelivered(kept);
      python(site, BURST, "" + site.logs(), "" + count);
      int exitCode = site.stop(agent);
      long missed = missed(site, "missedFiles");
      assertEquals(missed > 0 ? 3 : 0, exitCode, site.messages());
      assertEquals(
          count + 1,
          restored(site).size() + missed + missed(site, "perhapsMissedFiles"),
          site.messages());
    }
  }

  /** The agent is stopped while the files come and go, so that it can have none of them. */
  @Test
  void whatIsGoneBeforeItCanBeOpenedIsSaidWhereverSomebodyLooks() throws Exception {
    needsPython();
    try (Site site = new Site(directory)) {
      Path kept = Files.writeString(site.log("kept"), "kept\n");
      Process agent = site.agent();
      site.awaitDelivered(kept);
      freeze(agent);
      python(site, BURST, "" + site.logs(), "150");
      python(site, LINKS, "" + site.logs(), "20");
      signal(agent, "CONT");
      Site.await(
          "all are counted",
          () -> {
            JsonText status = JsonText.parse(site.asked().status().orElseThrow());
            return status.number("missedFiles") == 150 && status.number("perhapsMissedFiles") == 20;
          });
      String messages = site.messages();
      assertEquals(1, countOf("burst-\\d+ was gone before it could be opened", messages), messages);
      assertEquals(1, countOf("link-\\d+ was gone before it could be opened", messages), messages);

      Packaged.Run status = site.tailwater("status", "--state", "state");
      assertTrue(status.out().contains("150 files, gone before they could be opened"), "" + status);
      assertTrue(status.out().contains("20 names, gone before"), "" + status);
      assertEquals(100, countOf("burst-\\d+  gone before it could be", status.out()), "" + status);
      assertTrue(status.out().contains("and 50 more  gone before it could be"), "" + status);

      Packaged.Run metrics = site.tailwater("status", "--state", "state", "--metrics");
      assertEquals(
          1, countOf("\ntailwater_missed_files_total\\S* 150", metrics.out()), "" + metrics);
      assertEquals(1, countOf("\ntailwater_perhaps_missed_files_total\\S* 20", metrics.out()));

      site.stop(agent, 3);
      assertEquals(150, missed(site, "missedFiles"));
      assertEquals(20, missed(site, "perhapsMissedFiles"));
      Packaged.Run ls = site.tailwater("ls", "archive");
      assertEquals(0, ls.exitCode(), ls.err());
      assertTrue(ls.err().contains("150 files were gone before they could be opened"), ls.err());
      assertTrue(ls.err().contains("20 names were gone before the agent knew"), ls.err());
      assertEquals(100, countOf("burst-\\d+  gone before it could be", ls.err()), ls.err());
      assertEquals(20, countOf("link-\\d+  gone before it was known", ls.err()), ls.err());
      Packaged.Run json = site.tailwater("ls", "--json", "archive");
      assertTrue(json.out().replace(" ", "").contains("\"perhapsMissedFiles\":20"), json.out());
      Packaged.Run verified = site.tailwater("verify", "archive");
      assertTrue(verified.err().contains("150 files were gone"), verified.err());
      assertEquals(Set.of("kept\n"), restored(site));
    }
  }
}
