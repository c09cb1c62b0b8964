package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamSums;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.retry.Backoff;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.InMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More files than fit into memory, and more than the watch finds at once: it does not look for more
 * of them until some are delivered.
 */
final class MoreFilesThanMemoryTest {
  /** More than two portions of the watch. */
  private static final int FILES = 9_000;

  private static final int IN_MEMORY = 1_000;
  private static final int FEW_DESCRIPTORS = 20;

  /** What was refused since the archive was full is tried again soon, and not after 15 s. */
  private static final RetryPolicy SOON =
      new RetryPolicy(
          new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)),
          Duration.ofSeconds(1),
          Optional.empty());

  private final AtomicBoolean isFull = new AtomicBoolean();
  private TestAgent.Place place;
  private Path small;

  @BeforeEach
  void makeFiles(@TempDir(factory = InMemory.class) Path base) throws IOException {
    place = new TestAgent.Place(base.toRealPath());
    Path many = Files.createDirectory(place.log("many"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(many.resolve("f" + i), "line " + i + "\n");
    }
    small = Files.createDirectory(place.base().resolve("small")).resolve("small.log");
    Files.writeString(small, "one\n");
  }

  private TestAgent start() throws IOException {
    AgentConfig one = place.config();
    List<Source> sources =
        List.of(
            one.scope().sources().getFirst(),
            new Source(PosixPath.of(place.base().resolve("small")), List.of(), List.of()));
    AgentConfig config =
        AgentConfig.builder(TestAgent.NAME, sources, PosixPath.of(place.state()))
            .packs(PackUse.ALWAYS)
            .filesInMemory(0)
            .mostFilesInMemory(IN_MEMORY)
            .maxAge(Duration.ofMillis(30))
            .build();
    return TestAgent.start(config, openFullArchive(place), SOON);
  }

  /** Opens an archive that takes nothing while it {@link #isFull}. */
  private Destination openFullArchive(TestAgent.Place of) throws IOException {
    FaultPlan full =
        call ->
            call.method().startsWith("pwrite") && isFull.get()
                ? new Fault.Fail(Errno.ENOSPC)
                : Fault.PROCEED;
    return of.openArchive(
        FaultyFileCalls.wrap(TestAgent.REAL_CALLS, full).calls(), OpenIntent.WRITE);
  }

  /** Returns what the archive has of each file; fails where a file has several streams. */
  private Map<String, String> archived() throws IOException {
    Map<String, String> textByPath = new HashMap<>();
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      String before = textByPath.put(stream.birthPath(), new String(stream.prefix(), UTF_8));
      assertNull(before, stream.birthPath());
    }
    return textByPath;
  }

  private void assertAllDelivered(String smallText) throws IOException {
    Map<String, String> expected = new HashMap<>();
    expected.put(small.toString(), smallText);
    for (int i = 0; i < FILES; i++) {
      expected.put(place.log("many").resolve("f" + i).toString(), "line " + i + "\n");
    }
    assertEquals(expected, archived());
  }

  private static StatusReport.Watching watching(TestAgent agent) {
    return agent.agent.status().running().orElseThrow().watching();
  }

  @Test
  void allAreDeliveredWhileFewAreInMemory() throws Exception {
    try (TestAgent agent = start()) {
      DrainReport report = agent.agent.drain(Optional.empty());
      assertEquals(List.of(), report.leftBehind());
      assertEquals(List.of(), report.problems());
      assertEquals(FILES + 1, agent.agent.status().files().watched());
      assertTrue(agent.agent.filesInMemory() <= IN_MEMORY);
      assertFalse(watching(agent).searchWaits());
    }
    assertAllDelivered("one\n");
  }

  @Test
  void whatWasNotLookedForIsReportedAtTheDeadlineAndDeliveredByTheNextAgent() throws Exception {
    isFull.set(true);
    try (TestAgent agent = start()) {
      TestAgent.await("the search waits", () -> watching(agent).searchWaits());
      assertTrue(watching(agent).waitingFiles() > 0);
      assertTrue(agent.agent.filesInMemory() <= IN_MEMORY);
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofSeconds(2)));
      assertFalse(report.leftBehind().isEmpty());
      assertTrue(
          report.problems().stream().map(Problem::subject).anyMatch("drain"::equals),
          () -> report.problems().toString());
    }
    isFull.set(false);
    try (TestAgent agent = start()) {
      assertEquals(List.of(), agent.agent.drain(Optional.empty()).problems());
    }
    assertAllDelivered("one\n");
  }

  @Test
  void aFileOfAnotherSourceIsDeliveredMeanwhile() throws Exception {
    isFull.set(true);
    try (TestAgent agent = start()) {
      TestAgent.await("the search waits", () -> watching(agent).searchWaits());
      Files.writeString(small, "two\n", StandardOpenOption.APPEND);
      isFull.set(false);
      agent.awaitDelivered(small);
      var _ = agent.agent.drain(Optional.empty());
    }
    assertAllDelivered("one\ntwo\n");
  }

  /** What has no descriptor and is not in memory is complete, too. */
  @Test
  void saysThatAllStreamsAreCompleteWithFewDescriptorsAndManyFiles(
      @TempDir(factory = InMemory.class) Path base) throws Exception {
    TestAgent.Place other = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      Files.writeString(other.log("f" + i), "line " + i + "\n");
    }
    for (int i = 0; i < FILES / 3; i++) {
      Files.writeString(other.log("g" + i), "line " + i + "\n");
    }
    AgentConfig config = other.config().toBuilder().packs(PackUse.ALWAYS).filesInMemory(0).build();
    try (TestAgent agent =
        TestAgent.start(
            config,
            other.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            2_000)) {
      assertTrue(agent.agent.drain(Optional.empty()).isComplete());
    }
    StreamSums complete = lastDrain(other).completeSums().orElseThrow();
    StreamSums.Adder all = new StreamSums.Adder(complete.groups());
    List<ArchiveContents.StreamContents> streams = other.contents().streams();
    streams.forEach(stream -> all.add(stream.id()));
    List<String> missing =
        streams.stream()
            .filter(stream -> !all.hasAllOfGroup(complete, stream.id()))
            .map(ArchiveContents.StreamContents::birthPath)
            .toList();
    assertEquals(List.of(), missing);
    assertEquals(FILES + FILES / 3, streams.size());
  }

  @Test
  void namesStreamsAsCompleteWhoseFilesWereReachedThroughLinks(
      @TempDir(factory = InMemory.class) Path base) throws Exception {
    TestAgent.Place other = new TestAgent.Place(base.toRealPath());
    Path target = Files.createDirectory(other.base().resolve("target"));
    int files = 10 * FEW_DESCRIPTORS;
    for (int i = 0; i < files; i++) {
      Path file = Files.writeString(target.resolve("f" + i), "line " + i + "\n");
      Files.createSymbolicLink(other.log("f" + i), file);
    }
    AgentConfig config =
        other.config().toBuilder()
            .packs(PackUse.ALWAYS)
            .filesInMemory(0)
            .followSymlinks(true)
            .build();
    try (TestAgent agent =
        TestAgent.start(
            config,
            other.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            TestAgent.REAL_CALLS,
            FEW_DESCRIPTORS)) {
      assertTrue(agent.agent.drain(Optional.empty()).isComplete());
    }
    assertEquals(files, lastDrain(other).complete().size());
  }

  /** A file without a name keeps its place for a while, and its new name must not wait for that. */
  @Test
  void filesThatAreOpenGetTheirNewNamesThoughOthersWait(
      @TempDir(factory = InMemory.class) Path base) throws Exception {
    TestAgent.Place other = new TestAgent.Place(base.toRealPath());
    Path before = Files.createDirectory(other.log("before"));
    Path after = other.log("after");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 10 * FEW_DESCRIPTORS; i++) {
      Files.writeString(before.resolve("f" + i), "line " + i + "\n");
      expected.add("line " + i + "\n");
    }
    AgentConfig config =
        other.config().toBuilder().filesInMemory(0).goneGrace(Duration.ofHours(1)).build();
    isFull.set(true);
    try (TestAgent agent =
        TestAgent.start(
            config, openFullArchive(other), SOON, TestAgent.REAL_CALLS, FEW_DESCRIPTORS)) {
      TestAgent.await("files wait", () -> watching(agent).waitingFiles() > 0);
      Files.move(before, after);
      assertFalse(agent.agent.drainAndGoOn(Duration.ofSeconds(2)).isComplete());
      isFull.set(false);
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofMinutes(1)));
      assertEquals(List.of(), report.problems());
      assertTrue(report.isComplete());
    }
    List<String> found =
        other.contents().streams().stream()
            .map(stream -> new String(stream.prefix(), UTF_8))
            .toList();
    assertEquals(sorted(expected), sorted(found));
  }

  @Test
  void aDrainThatDoesNotWaitForDeletedFilesDoesNotBlameItsDeadline(
      @TempDir(factory = InMemory.class) Path base) throws Exception {
    TestAgent.Place other = new TestAgent.Place(base.toRealPath());
    int files = 10 * FEW_DESCRIPTORS;
    for (int i = 0; i < files; i++) {
      Files.writeString(other.log("deleted" + i), "line " + i + "\n");
    }
    AgentConfig config =
        other.config().toBuilder().filesInMemory(0).goneGrace(Duration.ofHours(1)).build();
    isFull.set(true);
    try (TestAgent agent =
        TestAgent.start(
            config, openFullArchive(other), SOON, TestAgent.REAL_CALLS, FEW_DESCRIPTORS)) {
      TestAgent.await("files wait", () -> watching(agent).waitingFiles() > 0);
      for (int i = 0; i < files; i++) {
        Files.delete(other.log("deleted" + i));
        Files.writeString(other.log("kept" + i), "other line " + i + "\n");
      }
      assertFalse(agent.agent.drainAndGoOn(Duration.ofSeconds(2)).isComplete());
      isFull.set(false);
      List<String> said =
          agent.agent.drainAndGoOn(Duration.ofMinutes(1)).problems().stream()
              .map(Problem::message)
              .toList();
      assertTrue(said.stream().noneMatch(s -> s.contains("before the deadline")), said::toString);
      assertTrue(
          said.isEmpty() || said.stream().anyMatch(s -> s.contains("could be looked at;")),
          said::toString);
      var _ = agent.agent.drain(Optional.of(Duration.ofMinutes(1)));
    }
    ArchiveContents contents = other.contents();
    for (int i = 0; i < files; i++) {
      assertEquals(1, contents.bornAt(other.log("kept" + i).toString()).size());
    }
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  private static LastDrain lastDrain(TestAgent.Place place) throws Exception {
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ);
        InputStream record =
            archive.read(ArchiveNames.lastDrain(TestAgent.NAME), 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME);
    }
  }
}
