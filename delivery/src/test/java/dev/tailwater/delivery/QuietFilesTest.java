package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord.EndReason;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that left memory since they are quiet, or never came there since an earlier run has left
 * them as they are, are shipped as if they were there.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class QuietFilesTest {
  private static final int MANY = 8;

  /** Whether an earlier run has delivered the file. */
  @Parameter boolean restarted;

  private final AtomicBoolean noDescriptors = new AtomicBoolean();
  private TestAgent.Place place;
  private StateTrouble trouble;
  private Path log;
  private TestAgent agent;

  @BeforeEach
  void startWithAFileThatLeft(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = place.log("app.log");
    Files.writeString(log, "one\n");
    trouble = new StateTrouble(place.base().resolve("state"));
    FaultPlan shortage =
        call ->
            call.method().startsWith("open")
                    && call.arguments().contains(PosixPath.of("other.log"))
                    && noDescriptors.get()
                    && isOpen(log)
                ? new Fault.Fail(Errno.EMFILE)
                : Fault.PROCEED;
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, trouble.or(shortage)).calls();
    AgentConfig config =
        place.config().toBuilder()
            .filesInMemory(0)
            // A drain may begin while short segments lie beside the one that they are merged into.
            .mergeToBytes(OptionalLong.of(0))
            .build();
    agent = TestAgent.start(place, config, calls);
    agent.awaitDelivered(log);
    awaitNoneInMemory();
    if (restarted) {
      drain();
      agent.close();
      agent = TestAgent.start(place, config, calls);
      TestAgent.await("it is found", () -> agent.agent.status().files().watched() == 1);
      awaitNoneInMemory();
    }
  }

  @AfterEach
  void close() throws Exception {
    agent.close();
  }

  private void awaitNoneInMemory() throws Exception {
    TestAgent.await("the files leave memory", () -> agent.agent.filesInMemory() == 0);
  }

  /** Has the descriptors of quiet files closed. */
  private void close(boolean closed) throws Exception {
    if (closed) {
      noDescriptors.set(true);
      Path other = Files.writeString(place.log("other.log"), "other\n");
      agent.awaitDelivered(other); // Once the descriptor of the quiet file is closed.
      awaitNoneInMemory();
    }
    assertEquals(closed ? 2 : 1, agent.agent.status().files().watched());
  }

  private static boolean isOpen(Path file) {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.anyMatch(
          fd -> {
            try {
              return Files.readSymbolicLink(fd).equals(file);
            } catch (IOException e) {
              return false; // It was closed meanwhile.
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void append(String text) throws Exception {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  private ArchiveContents.StreamContents onlyStream() throws Exception {
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(1, streams.size(), streams.toString());
    return streams.getFirst();
  }

  private String text() throws Exception {
    ArchiveContents.StreamContents stream = onlyStream();
    assertFalse(stream.holdsBytesTwice(), stream.toString());
    return new String(stream.prefix(), UTF_8);
  }

  private void drain() throws Exception {
    assertTrue(agent.drain().isComplete());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsAppendedGoesOnInItsStream(boolean closed) throws Exception {
    close(closed);
    append("two\n");
    agent.awaitDelivered(log);
    awaitNoneInMemory();
    append("three\n");
    drain();
    assertEquals("one\ntwo\nthree\n", text());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itHasNotArrivedAnew(boolean closed) throws Exception {
    close(closed);
    append("two\n");
    drain();
    ArchiveContents.StreamContents stream = onlyStream();
    assertEquals(2, stream.segments, stream.toString());
    // A run does not know whether somebody else was at the path before it.
    assertEquals(restarted ? 2 : 1, stream.arrivals.size(), stream.arrivals.toString());
  }

  @Test
  void aQuestionForItIsAnswered() throws Exception {
    assertTrue(agent.agent.status(PosixPath.of(log)).isDelivered());
    awaitNoneInMemory();
  }

  @Test
  void whatIsWrittenBeforeItIsDeletedIsDelivered() throws Exception {
    append("two\n");
    Files.delete(log);
    TestAgent.await("it has ended", () -> agent.agent.status().files().watched() == 0);
    drain();
    assertEquals("one\ntwo\n", text());
    assertEquals(
        EndReason.DELETED, onlyStream().record().orElseThrow().end().orElseThrow().reason());
  }

  @Test
  void whatIsWrittenAfterItIsDeletedIsDelivered() throws Exception {
    try (var writer = Files.newBufferedWriter(log, StandardOpenOption.APPEND)) {
      Files.delete(log);
      writer.write("two\n");
    }
    TestAgent.await("it has ended", () -> agent.agent.status().files().watched() == 0);
    drain();
    assertEquals("one\ntwo\n", text());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileWithItsNameIsAnother(boolean closed) throws Exception {
    close(closed);
    Path next = Files.writeString(place.base().resolve("next"), "next\n");
    Files.move(next, log, StandardCopyOption.REPLACE_EXISTING);
    agent.awaitDelivered(log);
    drain();
    List<ArchiveContents.StreamContents> streams = place.contents().bornAt(log.toString());
    assertEquals(2, streams.size(), streams.toString());
    assertEquals(
        1, streams.stream().filter(s -> s.record().flatMap(r -> r.end()).isPresent()).count());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itKeepsItsStreamUnderAnotherName(boolean closed) throws Exception {
    close(closed);
    Path renamed = place.log("app.log.1");
    Files.move(log, renamed);
    TestAgent.await("it is seen", () -> agent.agent.status(PosixPath.of(renamed)).isDelivered());
    drain();
    assertEquals("one\n", text());
    assertEquals(
        PosixPath.of(renamed), onlyStream().record().orElseThrow().paths().getLast().path());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherHardLinkIsAnotherNameOfIt(boolean closed) throws Exception {
    close(closed);
    Path link = Files.createLink(place.log("link.log"), log);
    TestAgent.await("it is seen", () -> agent.agent.filesInMemory() == 1);
    Files.delete(log);
    Files.writeString(link, "two\n", StandardOpenOption.APPEND);
    agent.awaitDelivered(link);
    drain();
    assertEquals("one\ntwo\n", text());
    assertTrue(onlyStream().record().flatMap(r -> r.end()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTruncationBeginsTheNextStream(boolean closed) throws Exception {
    close(closed);
    Files.writeString(log, "b\n", StandardOpenOption.TRUNCATE_EXISTING);
    agent.awaitDelivered(log);
    drain();
    List<String> texts =
        place.contents().bornAt(log.toString()).stream()
            .map(stream -> new String(stream.prefix(), UTF_8))
            .toList();
    assertEquals(List.of("one\n", "b\n"), texts);
  }

  @Test
  void rewrittenBytesAreDelivered() throws Exception {
    append("x".repeat(300_000));
    agent.awaitDelivered(log);
    awaitNoneInMemory();
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.write("ONE\n".getBytes(UTF_8));
    }
    agent.awaitDelivered(log);
    drain();
    assertArrayEquals(Files.readAllBytes(log), onlyStream().prefix());
  }

  @Test
  void comesBackWhileTheStateCannotBeWritten() throws Exception {
    Path second = Files.writeString(place.log("second.log"), "one\n");
    agent.awaitDelivered(second);
    awaitNoneInMemory();
    trouble.set(StateTrouble.Kind.FULL);
    for (int i = 0; i < 5; i++) {
      append("more\n"); // Each time the table fails, or is to be opened again.
      agent.awaitDelivered(log);
    }
    Files.writeString(second, "two\n", StandardOpenOption.APPEND);
    agent.awaitDelivered(second);
    trouble.set(StateTrouble.Kind.NONE);
    drain();
    assertEquals("one\n" + "more\n".repeat(5), text());
  }

  /** Starts an agent that has room in memory for two files, and some files that left. */
  private List<Path> startWithMoreFilesThanFit() throws Exception {
    agent.close();
    AgentConfig config = place.config().toBuilder().filesInMemory(0).mostFilesInMemory(2).build();
    agent = TestAgent.start(place, config, TestAgent.REAL_CALLS);
    List<Path> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      many.add(Files.writeString(place.log("many" + i), "one\n"));
    }
    for (Path one : many) {
      agent.awaitDelivered(one);
    }
    awaitNoneInMemory();
    assertEquals(MANY + 1, agent.agent.status().files().watched());
    return many;
  }

  private List<String> textsOf(List<Path> files) throws Exception {
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      for (ArchiveContents.StreamContents stream : place.contents().bornAt(file.toString())) {
        texts.add(new String(stream.prefix(), UTF_8));
      }
    }
    return texts;
  }

  @Test
  void filesThatDoNotFitIntoMemoryTakeTurns() throws Exception {
    List<Path> many = startWithMoreFilesThanFit();
    for (Path one : many) {
      Files.writeString(one, "two\n", StandardOpenOption.APPEND);
    }
    drain();
    assertEquals(Collections.nCopies(MANY, "one\ntwo\n"), textsOf(many));
    assertEquals(List.of(), agent.agent.status().problems());
  }

  /** Their comparisons are saved with what comes next, and nothing comes while others wait. */
  @Test
  void filesThatAreRewrittenAndDoNotFitIntoMemoryTakeTurns() throws Exception {
    List<Path> many = startWithMoreFilesThanFit();
    for (Path one : many) {
      Files.writeString(one, "two\n", StandardOpenOption.WRITE);
    }
    drain();
    for (Path one : many) {
      ArchiveContents.StreamContents last = place.contents().bornAt(one.toString()).getLast();
      assertEquals("two\n", new String(last.held(), UTF_8));
    }
    assertEquals(List.of(), agent.agent.status().problems());
  }

  @Test
  void filesThatDoNotFitIntoMemoryAreCountedAndReportedOnce() throws Exception {
    agent.close();
    List<Path> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      many.add(Files.writeString(place.log("many" + i), "one\n"));
    }
    AtomicBoolean full = new AtomicBoolean(true);
    FaultPlan fullArchive =
        call ->
            call.method().startsWith("pwrite") && full.get()
                ? new Fault.Fail(Errno.ENOSPC)
                : Fault.PROCEED;
    FileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, fullArchive).calls();
    AgentConfig config = place.config().toBuilder().filesInMemory(0).mostFilesInMemory(2).build();
    agent =
        TestAgent.start(config, place.openArchive(calls, OpenIntent.WRITE), TestAgent.REAL_CALLS);
    TestAgent.await("some files wait", () -> waitingFiles() >= MANY - 2);
    TestAgent.await("that is reported", () -> !shortageTimes().isEmpty());
    assertEquals(List.of(1L), shortageTimes());
    full.set(false);
    drain();
    assertEquals(Collections.nCopies(MANY, "one\n"), textsOf(many));
    assertEquals(0, waitingFiles());
    assertEquals(List.of(), agent.agent.status().problems());
  }

  /** How often it was reported that files do not fit into memory. */
  private List<Long> shortageTimes() {
    return agent.agent.status().problems().stream()
        .filter(problem -> problem.subject().equals("files in memory"))
        .map(Problem::times)
        .toList();
  }

  private long waitingFiles() {
    return agent.agent.status().running().orElseThrow().watching().waitingFiles();
  }

  @Test
  void whatIsWrittenToFilesIsDeliveredThatAreDeletedWhileTheyDoNotFit() throws Exception {
    List<Path> many = startWithMoreFilesThanFit();
    for (Path one : many) {
      try (var writer = Files.newBufferedWriter(one, StandardOpenOption.APPEND)) {
        Files.delete(one);
        writer.write("two\n");
      }
    }
    TestAgent.await("they have ended", () -> agent.agent.status().files().watched() == 1);
    drain();
    assertEquals(Collections.nCopies(MANY, "one\ntwo\n"), textsOf(many));
    for (Path one : many) {
      ArchiveContents.StreamContents stream = place.contents().bornAt(one.toString()).getFirst();
      assertEquals(EndReason.DELETED, stream.record().orElseThrow().end().orElseThrow().reason());
    }
  }

  @Test
  void filesThatMoveWhileTheyDoNotFitKeepTheirStreams() throws Exception {
    List<Path> many = startWithMoreFilesThanFit();
    for (Path one : many) {
      Files.move(one, place.log(one.getFileName() + ".1"));
    }
    for (Path one : many) {
      Path moved = place.log(one.getFileName() + ".1");
      Files.writeString(moved, "two\n", StandardOpenOption.APPEND);
      agent.awaitDelivered(moved);
    }
    drain();
    assertEquals(Collections.nCopies(MANY, "one\ntwo\n"), textsOf(many));
    assertEquals(MANY + 1, agent.agent.status().files().watched());
  }

  @Test
  void theNextAgentGoesOn() throws Exception {
    drain();
    agent.close();
    append("two\n");
    agent = TestAgent.start(place);
    drain();
    assertEquals("one\ntwo\n", text());
  }
}
