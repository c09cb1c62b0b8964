package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.control.ControlJson;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.testkit.InMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One user has far more files in a shared directory than fit into memory, and more than the watch
 * finds at once; another has a few. Every file is a delivery of its own, and deliveries are
 * counted, not time.
 */
final class OtherUsersFilesTest {
  private static final int MANY = 1001;
  private static final int FEW = 1002;

  /** More than three portions of the watch; {@code -Dtailwater.flood} makes it more. */
  private static final int FLOOD = Integer.getInteger("tailwater.flood", 14_000);

  private static final int IN_MEMORY = 256;
  private static final long MAX_AGE_NANOS = Duration.ofMillis(30).toNanos();

  /** Before the last of the few files: what was in memory before it, and what came with it. */
  private static final int MOST_BEFORE = 2 * IN_MEMORY;

  private final Counting destination = new Counting();
  private TestAgent.Place place;

  /** Holds up every delivery until it is told, and remembers in which order they came. */
  private static final class Counting extends ForwardingDestination {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> keys = new CopyOnWriteArrayList<>();

    Counting() {
      super(InMemoryDestination.create());
    }

    void open() {
      gate.countDown();
    }

    /** Returns how many deliveries came before the last one of these files; -1 if some did not. */
    int before(String part, int files) {
      List<Integer> at = new ArrayList<>();
      int count = 0;
      for (String key : keys) {
        if (key.contains(part)) {
          at.add(count);
        }
        count++;
      }
      return at.size() < files ? -1 : at.get(files - 1);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      keys.add(key);
      return real().putSegment(key, content);
    }
  }

  @BeforeEach
  void makeDirectories(@TempDir(factory = InMemory.class) Path base) throws IOException {
    assumeTrue(TestAgent.REAL_CALLS.effectiveUserId() == 0, "only root can give files away");
    place = new TestAgent.Place(base.toRealPath());
  }

  /** Makes a file that belongs to its owner when it appears. */
  private Path make(Path file, int owner) throws IOException {
    Path elsewhere = place.base().resolve("new");
    Files.writeString(elsewhere, file.getFileName() + " of " + owner + "\n");
    Files.setAttribute(elsewhere, "unix:uid", owner);
    return Files.move(elsewhere, file);
  }

  private void flood(Path directory) throws IOException {
    for (int i = 0; i < FLOOD; i++) {
      make(directory.resolve("many" + i), MANY);
    }
  }

  private TestAgent start() throws IOException {
    AgentConfig config =
        place.config().toBuilder()
            .packs(PackUse.NEVER)
            .filesInMemory(64)
            .mostFilesInMemory(IN_MEMORY)
            .build();
    return TestAgent.start(config, destination, TestAgent.REAL_CALLS);
  }

  private static StatusReport.Watching watching(TestAgent agent) {
    return agent.agent.status().running().orElseThrow().watching();
  }

  private void awaitFewDelivered(String part, int files) throws Exception {
    destination.open();
    TestAgent.await(
        files + " files of the other user are delivered",
        () -> destination.before(part, files) >= 0);
    int before = destination.before(part, files);
    assertTrue(before <= MOST_BEFORE, before + " deliveries came before the last of " + part);
  }

  @Test
  void aNewFileIsDeliveredThoughAnotherUserMakesFilesByTheThousand() throws Exception {
    try (TestAgent agent = start()) {
      flood(place.logs());
      TestAgent.await("files wait", () -> watching(agent).waitingFiles() > FLOOD / 2);
      Path few = make(place.log("few"), FEW);
      agent.awaitSeen(few); // There is a place for it, though nothing was delivered yet.
      assertFalse(watching(agent).waitingByOwner().containsKey((long) FEW));
      assertTrue(watching(agent).waitingByOwner().getOrDefault((long) MANY, 0L) > FLOOD / 2);
      String status = ControlJson.status(agent.agent.status());
      assertTrue(
          status.contains("\"waitingOwners\":1,\"mostWaitingOwners\":[{\"userId\":" + MANY),
          status);
      awaitFewDelivered("few", 1);
    }
  }

  @Test
  void filesThatWereThereAtTheStartAreFoundAmongThoseOfAnotherUser() throws Exception {
    int few = 10;
    for (int i = 0; i < few / 2; i++) {
      make(place.log("few" + i), FEW);
    }
    flood(place.logs());
    for (int i = few / 2; i < few; i++) {
      make(place.log("few" + i), FEW);
    }
    try (TestAgent agent = start()) {
      for (int i = 0; i < few; i++) {
        agent.awaitSeen(place.log("few" + i));
      }
      TestAgent.await("the search waits", () -> watching(agent).searchWaits());
      awaitFewDelivered("few", few);
    }
  }

  @Test
  void directoriesOfOneUserAreSearchedThoughFilesOfAnotherWait() throws Exception {
    for (String name : List.of("few-first", "many", "few-last")) {
      Path directory = Files.createDirectory(place.log(name));
      if (name.equals("many")) {
        flood(directory);
        Files.setAttribute(directory, "unix:uid", MANY);
      } else {
        Files.setAttribute(directory, "unix:uid", FEW);
        make(directory.resolve("file"), FEW);
      }
    }
    try (TestAgent agent = start()) {
      agent.awaitSeen(place.log("few-first").resolve("file"));
      agent.awaitSeen(place.log("few-last").resolve("file"));
      Path late = Files.createDirectories(place.log("few-late").resolve("below"));
      Files.setAttribute(place.log("few-late"), "unix:uid", FEW);
      Files.setAttribute(late, "unix:uid", FEW);
      agent.awaitSeen(make(late.resolve("file"), FEW));
      awaitFewDelivered("few-", 3);
    }
  }

  @Test
  void whoOwnsTheSourceMayHaveAllPlacesButTakesTurnsWithOthers() throws Exception {
    Files.setAttribute(place.logs(), "unix:uid", MANY);
    try (TestAgent agent = start()) {
      flood(place.logs());
      TestAgent.await("files wait", () -> watching(agent).waitingFiles() > FLOOD / 2);
      make(place.log("few"), FEW);
      TestAgent.await(
          "it waits too",
          () -> watching(agent).waitingByOwner().getOrDefault((long) FEW, 0L).equals(1L));
      awaitFewDelivered("few", 1);
    }
  }

  @Test
  void everyFileOfBothIsDelivered() throws Exception {
    flood(place.logs());
    make(place.log("few"), FEW);
    destination.open();
    AgentConfig config =
        place.config().toBuilder()
            .packs(PackUse.ALWAYS)
            .filesInMemory(64)
            .mostFilesInMemory(4 * IN_MEMORY) // Each time that they take turns is a pack.
            .build();
    try (TestAgent agent = TestAgent.start(config, destination, TestAgent.REAL_CALLS)) {
      assertEquals(List.of(), agent.agent.drain(Optional.empty()).problems());
      assertEquals(FLOOD + 1, agent.agent.status().files().watched());
      assertFalse(watching(agent).searchWaits());
    }
  }

  @Test
  void aLineIsDeliveredThoughTheLinkIsTooSlowForTheFilesOfAnotherUser() throws Exception {
    int files = 600;
    for (int i = 0; i < files; i++) {
      make(place.log("many" + i), MANY);
    }
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    try (TestAgent agent = TestAgent.start(config, destination, TestAgent.REAL_CALLS)) {
      agent.awaitSeen(place.log("many" + (files - 1)));
      Path few = make(place.log("few"), FEW);
      agent.awaitSeen(few);
      long seenNanos = System.nanoTime();
      TestAgent.await("it is due", () -> System.nanoTime() - seenNanos > 20 * MAX_AGE_NANOS);
      destination.open();
      TestAgent.await("it is delivered", () -> destination.before("few", 1) >= 0);
      int before = destination.before("few", 1);
      assertTrue(before <= files / 10, before + " deliveries came before it");
    }
  }
}
