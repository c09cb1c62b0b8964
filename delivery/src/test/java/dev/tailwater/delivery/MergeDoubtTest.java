package dev.tailwater.delivery;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A merge that does not end as it should. */
class MergeDoubtTest {
  @TempDir Path base;

  private TestAgent.Place place;
  private Destination archive;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Random random = new Random(2);

  @BeforeEach
  void setUp() throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
  }

  /** Two segments of 400 bytes are merged, and no more than two. */
  private AgentConfig config() {
    return place.config().toBuilder()
        .maxAge(Duration.ofMillis(2))
        .goneGrace(Duration.ofMillis(50))
        .mergeToBytes(OptionalLong.of(1000))
        .build();
  }

  private TestAgent start(DestinationFaultPlan plan) throws IOException {
    return TestAgent.start(config(), FaultyDestination.wrap(archive, plan), TestAgent.REAL_CALLS);
  }

  private void append(TestAgent agent, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      Path log = place.log("app.log");
      write(log);
      agent.awaitDelivered(log);
    }
  }

  private void write(Path log) throws IOException {
    byte[] bytes = new byte[400];
    random.nextBytes(bytes);
    written.writeBytes(bytes);
    Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static StatusReport.AtDestination only(TestAgent agent) {
    return agent.agent.status().destinations().getFirst();
  }

  private void requireWhole() throws IOException {
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    assertEquals(1, streams.size());
    assertArrayEquals(written.toByteArray(), streams.getFirst().prefix());
    assertFalse(streams.getFirst().holdsBytesTwice(), streams::toString);
  }

  /** A sound segment under the key, of other bytes: another machine has taken this one's name. */
  private void putOther(String key) {
    ArchiveObject.Segment name = (ArchiveObject.Segment) ArchiveNames.parse(key).orElseThrow();
    int lengthBytes = Math.toIntExact(name.range().lengthBytes());
    try {
      assertEquals(key, ForeignSegment.put(archive, name, name.range().startBytes(), lengthBytes));
    } catch (DestinationException e) {
      throw new AssertionError(e);
    }
  }

  private List<Long> listedStarts() throws IOException {
    Listing all = archive.list("", Optional.empty(), 1000);
    return all.entries().stream()
        .flatMap(entry -> ArchiveNames.parse(entry.key()).stream())
        .filter(object -> object instanceof ArchiveObject.Segment)
        .map(object -> ((ArchiveObject.Segment) object).range())
        .filter(range -> range.lengthBytes() == 400)
        .map(range -> range.startBytes())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsRemovedForALongSegmentThatHasOtherBytes(boolean loseAnswer) throws Exception {
    AtomicBoolean planted = new AtomicBoolean();
    DestinationFaultPlan plan =
        call -> {
          if (call.method().equals("commit") && planted.compareAndSet(false, true)) {
            putOther(call.key());
            return loseAnswer ? DestinationFault.LOSE_ANSWER : DestinationFault.PROCEED;
          }
          return DestinationFault.PROCEED;
        };
    try (TestAgent agent = start(plan)) {
      append(agent, 3);
      TestAgent.await(
          "it is reported",
          () -> agent.problems.stream().anyMatch(p -> p.message().contains("other bytes")));
      // The others are merged as ever.
      append(agent, 4);
      TestAgent.await("merging goes on", () -> only(agent).merged().segments() >= 1);
      TestAgent.await("and cleaning up", () -> only(agent).merged().supersededSegments() >= 2);
    }
    List<Long> left = listedStarts();
    assertTrue(left.containsAll(List.of(0L, 400L)), () -> "left are those at " + left);
  }

  @Test
  void bytesWhoseNameHasOtherBytesStayAtRiskUntilTheObjectIsRemoved() throws Exception {
    List<String> taken = new CopyOnWriteArrayList<>();
    DestinationFaultPlan plan =
        call -> {
          if (call.is("putSegment") && taken.isEmpty()) {
            taken.add(call.key());
            putOther(call.key());
          }
          return DestinationFault.PROCEED;
        };
    Path log = place.log("app.log");
    try (TestAgent agent = start(plan)) {
      write(log);
      TestAgent.await(
          "it is reported",
          () -> agent.problems.stream().anyMatch(p -> p.message().contains("other bytes")));
      Problem problem = agent.problems.getFirst();
      assertTrue(problem.permanent());
      assertTrue(problem.hint().orElse("").contains("not in the archive"), problem::toString);
      DrainReport report = agent.agent.drainAndGoOn(Duration.ofSeconds(1));
      assertEquals(400, report.leftBehindBytes());
      assertFalse(report.isComplete());
      archive.delete(taken.getFirst());
      agent.drain();
      assertTrue(agent.agent.status(PosixPath.of(log)).isDelivered());
      assertEquals(List.of(), agent.agent.status().problems());
    }
    requireWhole();
  }

  @Test
  void bytesWhoseNameHasOtherBytesStayAtRiskIfTheObjectCannotBeReadForAMoment() throws Exception {
    List<String> taken = new CopyOnWriteArrayList<>();
    AtomicBoolean unread = new AtomicBoolean(true);
    DestinationFaultPlan plan =
        call -> {
          if (call.is("putSegment") && taken.isEmpty()) {
            taken.add(call.key());
            putOther(call.key());
          }
          boolean reads = call.is("read") && taken.contains(call.key());
          return reads && unread.compareAndSet(true, false)
              ? DestinationFault.FAIL_TRANSIENT
              : DestinationFault.PROCEED;
        };
    try (TestAgent agent = start(plan)) {
      write(place.log("app.log"));
      TestAgent.await("it was to be read", () -> !unread.get());
      TestAgent.await(
          "it is reported",
          () -> agent.problems.stream().anyMatch(p -> p.message().contains("other bytes")));
      assertEquals(400, agent.agent.drainAndGoOn(Duration.ofSeconds(1)).leftBehindBytes());
      archive.delete(taken.getFirst());
      assertTrue(agent.drain().isComplete());
    }
    requireWhole();
  }

  @Test
  void otherFilesAreDeliveredThoughTheNamesOfManySegmentsHaveOtherBytes() throws Exception {
    List<String> taken = new CopyOnWriteArrayList<>();
    DestinationFaultPlan plan =
        call -> {
          boolean isTaken = call.is("putSegment") && call.key().contains("taken-");
          if (isTaken && !taken.contains(call.key())) {
            taken.add(call.key());
            putOther(call.key());
          }
          return DestinationFault.PROCEED;
        };
    List<Path> logs = new ArrayList<>();
    try (TestAgent agent = start(plan)) {
      for (int i = 0; i < 5; i++) {
        Path log = place.log("taken-" + i + ".log");
        write(log);
        logs.add(log);
      }
      TestAgent.await("some are found", () -> taken.size() >= 2);
      Path free = place.log("free.log");
      write(free);
      logs.add(free);
      agent.awaitDelivered(free);
      TestAgent.await("all are found", () -> agent.agent.status().problems().size() == 5);
      DrainReport report = agent.agent.drainAndGoOn(Duration.ofSeconds(1));
      assertEquals(5 * 400, report.leftBehindBytes(), report::toString);
      assertEquals(
          Set.copyOf(taken), report.problems().stream().map(Problem::subject).collect(toSet()));
    }
    archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE);
    for (String key : taken) {
      archive.delete(key);
    }
    try (TestAgent agent = start(_ -> DestinationFault.PROCEED)) {
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
    }
    for (Path log : logs) {
      List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
      assertEquals(1, streams.size());
      assertArrayEquals(Files.readAllBytes(log), streams.getFirst().prefix());
    }
  }

  @Test
  void aShortSegmentWhoseAnswerWasLostIsMergedAllTheSame() throws Exception {
    try (TestAgent agent =
        start(DestinationFaultPlan.once("putSegment", DestinationFault.LOSE_ANSWER))) {
      append(agent, 3);
      TestAgent.await("two are superseded", () -> only(agent).merged().supersededSegments() >= 2);
    }
    requireWhole();
    assertFalse(reopenedStarts().contains(0L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"beginSegment", "write", "commit"})
  void aDrainGivesUpAMergeThatIsUnderWay(String method) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch drained = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    DestinationFaultPlan plan =
        call -> {
          if (!call.method().equals(method) || !first.compareAndSet(true, false)) {
            return DestinationFault.PROCEED;
          }
          reached.countDown();
          try {
            // A call may hang; only one that may be interrupted is.
            return drained.await(20, TimeUnit.SECONDS)
                ? DestinationFault.PROCEED
                : DestinationFault.CRASH_BEFORE;
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DestinationFault.FAIL_TRANSIENT;
          }
        };
    try (TestAgent agent = start(plan)) {
      append(agent, 3);
      assertTrue(reached.await(20, TimeUnit.SECONDS), "nothing is merged");
      assertTrue(agent.drain().leftBehind().isEmpty());
      drained.countDown();
      assertEquals(0, only(agent).merged().segments());
      assertEquals(List.of(), List.copyOf(agent.problems));
    }
    requireWhole();
    assertEquals(List.of(0L, 400L, 800L), reopenedStarts());
  }

  private List<Long> reopenedStarts() throws IOException {
    archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
    return listedStarts();
  }

  @Test
  void aMergeThatWasGivenUpIsMadeAfterAHurryThatIsOver() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    DestinationFaultPlan plan =
        call -> {
          if (!call.method().equals("write") || !first.compareAndSet(true, false)) {
            return DestinationFault.PROCEED;
          }
          reached.countDown();
          try {
            Thread.sleep(Duration.ofHours(1)); // Until the hurry interrupts it.
            return DestinationFault.CRASH_BEFORE;
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DestinationFault.FAIL_TRANSIENT;
          }
        };
    try (TestAgent agent = start(plan)) {
      append(agent, 3);
      assertTrue(reached.await(20, TimeUnit.SECONDS), "nothing is merged");
      agent.agent.drainAndGoOn(Duration.ofSeconds(20));
      TestAgent.await("two are superseded", () -> only(agent).merged().supersededSegments() >= 2);
      assertEquals(List.of(), List.copyOf(agent.problems));
    }
    requireWhole();
  }

  /** A source of random numbers that yields no pauses, and notes how long they could have been. */
  private static final class NotedPauses extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final CopyOnWriteArrayList<Long> longestMillis = new CopyOnWriteArrayList<>();

    @Override
    public long nextLong(long bound) {
      if (Thread.currentThread().getName().startsWith("merge-")) {
        longestMillis.add(bound - 1);
      }
      return 0;
    }
  }

  @Test
  void aMergeThatFailsAgainAndAgainIsTriedAfterGrowingPausesAndIsOneProblem() throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    FaultyDestination faulty =
        FaultyDestination.wrap(
            archive,
            DestinationFaultPlan.when(
                call -> call.is("commit") && failing.get(), DestinationFault.FAIL_TRANSIENT));
    NotedPauses pauses = new NotedPauses();
    try (TestAgent agent = TestAgent.start(config(), faulty, pauses)) {
      append(agent, 3);
      TestAgent.await("it is tried again", () -> pauses.longestMillis.size() >= 6);
      assertEquals(
          List.of(100L, 200L, 400L, 800L, 1600L, 3200L),
          List.copyOf(pauses.longestMillis).subList(0, 6));
      assertEquals(List.of(), List.copyOf(agent.ended));
      DrainReport drained = agent.agent.drainAndGoOn(Duration.ofSeconds(20));
      assertTrue(drained.isComplete(), drained::toString);
      assertEquals(
          List.of("merging"), drained.otherProblems().stream().map(Problem::subject).toList());
      assertTrue(faulty.log().stream().filter(call -> call.is("commit")).count() >= 6);
      failing.set(false);
      TestAgent.await("two are superseded", () -> only(agent).merged().supersededSegments() >= 2);
      TestAgent.await("it is over", () -> !agent.ended.isEmpty());
      assertEquals(List.of(), agent.agent.status().problems());
      assertEquals(List.of("merging"), agent.ended.stream().map(Problem::subject).toList());
    }
    requireWhole();
  }
}
