package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.InMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a file for which there is no descriptor. */
class ClosedFileStatusTest {
  private static final int FILES = 30;
  private static final int FEW_DESCRIPTORS = 20;

  @TempDir(factory = InMemory.class)
  Path base;

  @Test
  void anEmptyFileIsDelivered() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path empty = Files.createFile(place.log("empty.log"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(place.log("f" + i), "line " + i + "\n");
    }
    AgentConfig config = place.config().toBuilder().filesInMemory(0).build();
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertEquals(List.of(), agent.agent.drain(Optional.empty()).leftBehind());
    }
    try (TestAgent agent =
        TestAgent.start(
            config,
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            FEW_DESCRIPTORS)) {
      assertTrue(agent.agent.status(PosixPath.of(place.log("f7"))).isDelivered());
      assertEquals(FileDelivery.Change.NONE, agent.agent.status(PosixPath.of(empty)).change());
    }
  }
}
