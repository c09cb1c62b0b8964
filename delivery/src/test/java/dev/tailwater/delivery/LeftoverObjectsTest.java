package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a start removes of the objects that an earlier run has left: all that is there twice, and no
 * more.
 */
class LeftoverObjectsTest {
  private TestAgent.Place place;

  @BeforeEach
  void makePlace(@TempDir Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
  }

  private static Agent start(
      AgentConfig config, Destination destination, FileCalls calls, LongSupplier clock)
      throws IOException, InterruptedException {
    Agent agent =
        Agent.start(
            config,
            destination,
            RetryPolicy.forever(),
            new AgentEnvironment(calls, clock, System::nanoTime, new SecureRandom()),
            new UnheardProblems());
    agent.awaitFirstScan();
    return agent;
  }

  private static void awaitDelivered(Agent agent, Path file) throws Exception {
    TestAgent.await(file + " is delivered", () -> agent.status(PosixPath.of(file)).isDelivered());
  }

  private List<ArchiveObject.Segment> segments() throws IOException {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      return archive.list("", Optional.empty(), 1000).entries().stream()
          .flatMap(entry -> ArchiveNames.parse(entry.key()).stream())
          .filter(ArchiveObject.Segment.class::isInstance)
          .map(ArchiveObject.Segment.class::cast)
          .toList();
    }
  }

  /** An epoch that is ahead of the clock has the agent begin another group of packs. */
  @Test
  void packsOfTheGroupBeforeThatAKilledRunHadMergedAreRemoved() throws Exception {
    long sinceMillis =
        System.currentTimeMillis() - Instant.parse("2019-12-31T23:00:00Z").toEpochMilli();
    LongSupplier clock = () -> System.currentTimeMillis() - sinceMillis;
    AgentConfig config =
        place.config().toBuilder()
            .packs(PackUse.ALWAYS)
            .maxAge(Duration.ofMillis(2))
            .mergeToBytes(OptionalLong.of(1 << 20))
            .build();
    MortalProcess process = new MortalProcess(FaultPlan.none());
    process.live(
        () -> {
          Destination dying =
              new DyingDestination(
                  FaultyDestination.wrap(
                      place.openArchive(process.calls(), OpenIntent.WRITE),
                      DestinationFaultPlan.once("delete", DestinationFault.CRASH_BEFORE)),
                  process.faulty());
          try (Agent agent = start(config, dying, process.calls(), clock)) {
            Path log = place.log("app.log");
            for (int i = 0; i < 5; i++) {
              Files.writeString(
                  log, "line " + i, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
              awaitDelivered(agent, log);
            }
            Path other = Files.writeString(place.log("other.log"), "before it is truncated");
            awaitDelivered(agent, other);
            Files.writeString(other, "anew", StandardOpenOption.TRUNCATE_EXISTING);
            process.awaitUnlessDead(process::isDead);
          }
        });
    Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    try (Agent agent = start(config, archive, TestAgent.REAL_CALLS, clock)) {
      assertTrue(agent.drain(Optional.of(Duration.ofMinutes(1))).isComplete());
      agent.finishMerging(Duration.ofMinutes(1));
    }
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertFalse(stream.holdsBytesTwice(), stream + " is there twice");
    }
  }

  @Test
  void segmentsStayBesideALongerOneThatIsDamaged() throws Exception {
    Path log = place.log("app.log");
    AgentConfig apart = place.config().toBuilder().mergeToBytes(OptionalLong.of(0)).build();
    try (TestAgent agent = TestAgent.start(place, apart, TestAgent.REAL_CALLS)) {
      for (String text : List.of("first bytes\n", "and others\n")) {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        agent.awaitDelivered(log);
      }
      Files.delete(log);
      assertTrue(agent.drain().isComplete());
    }
    List<ArchiveObject.Segment> good = segments();
    String damaged =
        ArchiveNames.segment(
            good.getFirst().streamPrefix(),
            new ByteRange(0, good.getLast().range().endBytes()),
            new Codec.Zstd(1),
            false);
    Files.writeString(place.archive().resolve(damaged), "no segment at all");
    Files.move(place.state(), place.base().resolve("lost"));
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.drain().isComplete());
      agent.agent().finishMerging(Duration.ofMinutes(1));
    }
    assertTrue(segments().containsAll(good), () -> good + " are not all there");
  }
}
