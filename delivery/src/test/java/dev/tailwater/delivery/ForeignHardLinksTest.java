package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.delivery.TestAgent.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody links files of others into a source, as is possible without fs.protected_hardlinks. */
final class ForeignHardLinksTest {
  private static final int STRANGER = 65_534;

  @TempDir Path base;
  private Place place;
  private Path secret;

  @BeforeEach
  void makeSecret() throws Exception {
    assumeTrue(TestAgent.REAL_CALLS.effectiveUserId() == 0, "only root can give files away");
    place = new Place(base);
    secret = Files.writeString(base.resolve("secret"), "secret");
    Files.writeString(place.log("own"), "own");
    Files.setAttribute(place.logs(), "unix:uid", STRANGER);
    Files.setAttribute(place.log("own"), "unix:uid", STRANGER);
  }

  private TestAgent start() throws Exception {
    return TestAgent.start(place, place.config(), TestAgent.REAL_CALLS);
  }

  private int archived(Path file) throws Exception {
    return place.contents().bornAt(file.toString()).size();
  }

  @Test
  void aLinkToAFileOfAnotherOwnerIsLeftOutAndSaidOnce() throws Exception {
    Files.createLink(place.log("a"), secret);
    Files.createLink(place.log("b"), secret);
    Files.createLink(place.log("own.1"), place.log("own"));
    try (TestAgent agent = start()) {
      agent.awaitDelivered(place.log("own"));
      TestAgent.await(
          "both are refused",
          () -> agent.agent().status().running().orElseThrow().watching().foreignLinks() == 2);
      assertEquals(1, agent.problems.size(), agent.problems.toString());
      assertTrue(agent.problems.getFirst().message().contains("hard links"));
      assertFalse(agent.drain().isComplete());
      Files.delete(secret);
      Files.delete(place.log("b"));
      Files.writeString(place.log("a"), "secret too");
      assertFalse(agent.drain().isComplete(), "it is not the link's maker's for having one name");
      Files.delete(place.log("a"));
      TestAgent.await("no link is left", () -> agent.ended.size() == 1);
    }
    assertEquals(0, archived(place.log("a")) + archived(place.log("b")));
  }

  @Test
  void aLinkThatIsLeftOutStaysSoUnderAnotherName() throws Exception {
    Files.createLink(place.log("a"), secret);
    try (TestAgent agent = start()) {
      TestAgent.await("it is refused", () -> agent.problems.size() == 1);
      Files.delete(secret);
      Files.move(place.log("a"), place.log("moved"));
      assertFalse(agent.drain().isComplete());
      Files.move(place.log("moved"), place.log("again"));
      assertFalse(agent.drain().isComplete());
    }
    assertEquals(0, archived(place.log("moved")) + archived(place.log("again")));
  }

  @Test
  void aLinkInADirectoryThatOthersCanWriteIsLeftOut() throws Exception {
    Files.setAttribute(place.logs(), "unix:uid", 0);
    Files.createLink(place.log("a"), secret);
    try (TestAgent agent = start()) {
      agent.awaitDelivered(place.log("a"));
    }
    Files.setPosixFilePermissions(place.logs(), PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.createLink(place.log("b"), Files.writeString(base.resolve("other"), "other"));
    try (TestAgent agent = start()) {
      TestAgent.await("it is refused", () -> !agent.problems.isEmpty());
    }
    assertEquals(1, archived(place.log("a")));
    assertEquals(0, archived(place.log("b")));
  }
}
