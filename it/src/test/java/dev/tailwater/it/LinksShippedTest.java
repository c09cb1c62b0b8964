package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Symbolic links below a source are not followed, and that is said. */
class LinksShippedTest {
  private static final String SAID =
      "2 symbolic links are left out: links below a source are not followed";

  @TempDir private Path directory;

  private static void makeLinks(Site site) throws Exception {
    Path pods = Files.createDirectory(site.base().resolve("pods"));
    Files.writeString(pods.resolve("0.log"), "line\n");
    Files.createSymbolicLink(site.log("a.log"), pods.resolve("0.log"));
    Files.createSymbolicLink(site.log("pods"), pods);
  }

  @Test
  void aSourceOfLinksIsNotShippedInSilence() throws Exception {
    try (Site site = new Site(directory)) {
      makeLinks(site);
      Packaged.Run look = site.shipOnce("--dry-run");
      assertEquals(0, look.exitCode(), look::err);
      assertTrue(look.err().contains(SAID), look::err);
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship::err);
      assertTrue(ship.err().contains(SAID), ship::err);

      Process agent = site.agent();
      Site.await("it is said", () -> site.messages().contains(SAID));
      assertEquals(2, site.said().object("watching").number("symbolicLinks"));
      site.stop(agent, 0);
    }
  }

  @Test
  void linksThatMatchNoSourceAreNotCounted() throws Exception {
    try (Site site = new Site(directory)) {
      makeLinks(site);
      Files.createDirectory(site.log("old"));
      Files.createSymbolicLink(site.log("old/a.log"), site.base().resolve("pods/0.log"));
      Files.createSymbolicLink(site.log("old/pods"), site.base().resolve("pods"));
      Packaged.Run look =
          site.tailwater("ship", "--dry-run", "--state", "state", "logs/*.log", "archive");
      assertTrue(look.err().contains("1 symbolic link is left out"), look::err);
    }
  }

  @Test
  void filesOfOneDirectoryThatAreNamedByALinkAndWithoutItAreShippedInAnyOrder() throws Exception {
    try (Site site = new Site(directory)) {
      Files.createSymbolicLink(site.base().resolve("link"), site.base().resolve("logs"));
      Files.writeString(site.log("a.log"), "a\n");
      Files.writeString(site.log("b.log"), "b\n");
      for (String[] sources : List.of(sources("link/a", "logs/b"), sources("logs/b", "link/a"))) {
        Packaged.Run run = site.tailwater(sources);
        assertEquals(0, run.exitCode(), run::err);
        assertTrue(run.out().contains("logs/a.log"), run::out);
        assertTrue(run.out().contains("logs/b.log"), run::out);
      }
    }
  }

  private static String[] sources(String one, String other) {
    String[] words = {"ship", "--once", "--dry-run", "--state", "state"};
    List<String> arguments = new ArrayList<>(List.of(words));
    arguments.addAll(List.of(one + ".log", other + ".log", "archive"));
    return arguments.toArray(String[]::new);
  }

  @Test
  void linksThatAreArchivedAreNotLeftOut() throws Exception {
    try (Site site = new Site(directory)) {
      makeLinks(site);
      Packaged.Run ship = site.shipOnce("--directories=on");
      assertEquals(0, ship.exitCode(), ship::err);
      assertFalse(ship.err().contains("left out"), ship::err);
      assertEquals(0, site.restore().exitCode());
      assertTrue(Files.isSymbolicLink(site.restored(site.log("a.log"))));
    }
  }
}
