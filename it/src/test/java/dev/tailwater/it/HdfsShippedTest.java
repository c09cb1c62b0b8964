package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.hdfs.HdfsCluster;
import dev.tailwater.destination.hdfs.ThreeDataNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with the HDFS plug-in, and a real cluster. */
@ExtendWith(ThreeDataNodes.class)
class HdfsShippedTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("TAILWATER_PLUGINS", Packaged.built("tailwater.hdfs.plugins").toString());

  private final HdfsCluster cluster;
  @TempDir private Path directory;

  HdfsShippedTest(HdfsCluster cluster) {
    this.cluster = cluster;
  }

  private Site site() throws IOException {
    Site site = new Site(directory);
    site.shipTo(cluster.newPlace(), ENVIRONMENT);
    return site;
  }

  @Test
  void shipsAndRestoresAndSendsNothingTwiceEvenWithoutItsState() throws Exception {
    try (Site site = site()) {
      byte[] random = new byte[20_000_000];
      new Random(1).nextBytes(random);
      Files.write(site.log("random"), random);
      Files.write(site.log("small"), new byte[] {1});
      Packaged.Run ship = site.shipOnce();
      assertEquals(0, ship.exitCode(), ship.err());
      Files.move(site.base().resolve("state"), site.base().resolve("state.lost"));
      Packaged.Run again = site.shipOnce();
      assertEquals(0, again.exitCode(), again.err());
      for (Packaged.Run run : List.of(ship, again)) {
        assertFalse(run.err().contains("WARN"), "no warnings of Hadoop or the JVM: " + run.err());
      }
      site.restoreAndCompare();
    }
  }

  @Test
  void nothingIsMissingOrTwiceThoughNameNodeAndAgentFail() throws Exception {
    try (Site site = site()) {
      try (LineWriter writer = new LineWriter(site.log("busy.log"))) {
        Process agent = site.agent();
        writer.awaitMore(300);
        site.kill(agent);
        writer.awaitMore(300);
        agent = site.agent();
        cluster.tell("stop-name-node");
        writer.awaitMore(300);
        cluster.tell("start-name-node");
        writer.finish();
        site.awaitDelivered(site.log("busy.log"));
        site.stop(agent, 0);
      }
      site.restoreAndCompare();
      assertEquals(1, Site.files(site.base().resolve("restored")).size());
    }
  }

  @Test
  void probesACluster() throws Exception {
    Packaged.Run probe =
        Packaged.run(
            directory,
            ENVIRONMENT,
            List.of(Packaged.launcher(), "probe", "--quick", cluster.newPlace()));
    assertEquals(0, probe.exitCode(), probe.err() + probe.out());
    assertTrue(probe.out().contains("is fit for an archive"), probe.out());
  }
}
