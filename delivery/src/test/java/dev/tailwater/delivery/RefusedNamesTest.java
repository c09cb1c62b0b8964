package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.UnsuitableKeyException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A destination that takes some names never, such as a file system that takes only short ones. */
class RefusedNamesTest {
  private static final int REFUSED = 5;

  private static Fault refuse(Call call) {
    boolean isLong = call.arguments().stream().anyMatch(a -> a.toString().contains("long-name"));
    return isLong ? new Fault.Fail(Errno.ENAMETOOLONG) : Fault.PROCEED;
  }

  private static Path write(Path file, int lengthBytes) throws Exception {
    byte[] bytes = new byte[lengthBytes];
    new Random(file.hashCode()).nextBytes(bytes);
    return Files.write(file, bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 700_000})
  @Timeout(180)
  void otherFilesAreDelivered(int lengthBytes, @TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    List<Path> refused = new ArrayList<>();
    for (int i = 0; i < REFUSED; i++) {
      refused.add(write(place.log("long-name-" + i), lengthBytes));
    }
    Destination archive =
        place.openArchive(
            FaultyFileCalls.wrap(TestAgent.REAL_CALLS, RefusedNamesTest::refuse).calls(),
            OpenIntent.WRITE);
    try (TestAgent agent = TestAgent.start(config, archive, TestAgent.REAL_CALLS)) {
      TestAgent.await("some are refused", () -> !agent.agent().status().problems().isEmpty());
      agent.awaitDelivered(write(place.log("other"), lengthBytes));
      TestAgent.await("each is named", () -> agent.agent().status().problems().size() == REFUSED);
      DrainReport report = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
      assertEquals((long) REFUSED * lengthBytes, report.leftBehindBytes(), report::toString);
      assertFalse(report.isComplete());
    }
    try (TestAgent agent = TestAgent.start(place, config, TestAgent.REAL_CALLS)) {
      assertTrue(agent.drain().isComplete());
    }
    for (Path file : refused) {
      assertEquals(1, place.contents().bornAt(file.toString()).size());
    }
  }

  /** The archive is asked for the rest of a stream that ended: it can have nothing of it. */
  @Test
  @Timeout(180)
  void oneThatWasTruncatedHoldsUpNoStart(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    Path refused = write(place.log("long-name"), 1_000);
    try (TestAgent agent = start(place, config)) {
      TestAgent.await("it is refused", () -> !agent.agent().status().problems().isEmpty());
      Files.write(refused, new byte[1]); // As copytruncate of logrotate does.
      TestAgent.await("its end is refused, too", () -> agent.problems.size() > 2);
    }
    try (TestAgent agent = start(place, config)) {
      agent.awaitDelivered(write(place.log("other"), 1_000));
    }
  }

  /** Such a one may refuse to list such names, too. */
  private static final class Refusing extends ForwardingDestination {
    Refusing(Destination real) {
      super(real);
    }

    private void require(String operation, String key) throws UnsuitableKeyException {
      if (key.contains("long-name")) {
        throw new UnsuitableKeyException(uri(), operation, key, "it is too long", "Shorten it.");
      }
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      require("put", key);
      return real().putSegment(key, content);
    }

    @Override
    public void putObject(String key, byte[] content) throws DestinationException {
      require("put", key);
      real().putObject(key, content);
    }

    @Override
    public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
        throws DestinationException {
      require("list", prefix);
      return real().list(prefix, afterKey, maxEntries);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(180)
  void oneThatIsNotListedEitherHoldsUpNoStart(boolean gone, @TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    Path refused = write(place.log("long-name"), 1_000);
    Destination first = new Refusing(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent = TestAgent.start(config, first, TestAgent.REAL_CALLS)) {
      TestAgent.await("it is refused", () -> !agent.agent().status().problems().isEmpty());
      if (!gone) {
        Files.write(refused, new byte[1]);
        TestAgent.await("its end is refused, too", () -> agent.problems.size() > 1);
      }
    }
    if (gone) {
      Files.delete(refused);
    }
    Destination second = new Refusing(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent = TestAgent.start(config, second, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(write(place.log("other"), 1_000));
    }
  }

  @Test
  @Timeout(180)
  void oneThatGrowsIsOneProblem(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    AgentConfig config = place.config().toBuilder().packs(PackUse.NEVER).build();
    Path refused = write(place.log("long-name"), 1_000);
    try (TestAgent agent = start(place, config)) {
      for (int times = 1; times <= REFUSED; times++) {
        int soMany = times;
        TestAgent.await("it is refused", () -> timesRefused(agent) >= soMany);
        Files.write(refused, new byte[1], StandardOpenOption.APPEND);
      }
      assertEquals(1, agent.agent().status().problems().size());
      assertEquals(1, agent.problems.size(), agent.problems::toString);
      Files.write(refused, new byte[0]);
      TestAgent.await("its end is refused, too", () -> agent.problems.size() > 1);
      DrainReport report = agent.agent().drainAndGoOn(Duration.ofSeconds(1));
      assertEquals(1, report.leftBehind().size(), report::toString);
    }
  }

  private static long timesRefused(TestAgent agent) throws Exception {
    return agent.agent().status().problems().stream().mapToLong(Problem::times).sum();
  }

  private static TestAgent start(TestAgent.Place place, AgentConfig config) throws Exception {
    Destination archive =
        place.openArchive(
            FaultyFileCalls.wrap(TestAgent.REAL_CALLS, RefusedNamesTest::refuse).calls(),
            OpenIntent.WRITE);
    return TestAgent.start(config, archive, TestAgent.REAL_CALLS);
  }
}
