package dev.tailwater.destination.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests with two NameNodes, one of them active, under the name that a configuration directory gives
 * them.
 */
@EnabledIfSystemProperty(
    named = "tailwater.soak",
    matches = "true",
    disabledReason = "a second cluster; -Dtailwater.soak=true")
class HighAvailabilityTest {
  @Test
  void followsTheActiveNameNode() throws IOException {
    try (HdfsCluster cluster = HdfsCluster.start(3, "ha")) {
      String place = "hdfs://minidfs-ns/archive?config=" + cluster.directory().resolve("conf");
      try (Destination archive = HdfsCluster.open(place);
          Destination standby = HdfsCluster.open(cluster.newPlace())) {
        ByteBuffer content = ByteBuffer.wrap(new byte[1000]);
        assertEquals(PutResult.CREATED, archive.putSegment("a", content));
        cluster.tell("fail-over");
        assertEquals(PutResult.CREATED, archive.putSegment("b", content));
        assertEquals(2, archive.list("", Optional.empty(), 9).entries().size());
        DestinationException e =
            Assertions.assertThrows(
                TransientDestinationException.class, () -> standby.putSegment("a", content));
        assertFalse(e.permanent());
        assertTrue(e.hint().contains("nameservice"), e.getMessage() + e.hint());
      }
    }
  }
}
