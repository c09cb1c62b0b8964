package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints cannot be saved for a while, and the run ends in peace all the same. */
class UnsavedCheckpointTest {
  private static final String PROBLEM = "state directory";

  private TestAgent.Place place;
  private StateTrouble trouble;
  private Path log;

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    trouble = new StateTrouble(place.state());
    log = Files.createFile(place.log("app.log"));
  }

  private TestAgent start() throws IOException {
    return TestAgent.start(
        place, place.config(), FaultyFileCalls.wrap(TestAgent.REAL_CALLS, trouble).calls());
  }

  private void append(char letter, int count) throws IOException {
    Files.writeString(log, String.valueOf(letter).repeat(count), StandardOpenOption.APPEND);
  }

  /** Truncates a file in place. */
  private void rewrite(char letter, int count) throws IOException {
    Files.writeString(
        log, String.valueOf(letter).repeat(count), StandardOpenOption.TRUNCATE_EXISTING);
  }

  private static boolean isReported(TestAgent agent) {
    return agent.problems.stream().anyMatch(problem -> problem.subject().equals(PROBLEM));
  }

  private void deliverNext(TestAgent agent) throws Exception {
    DrainReport report = agent.agent().drainAndGoOn(Duration.ofSeconds(60));
    assertTrue(report.isComplete(), report.toString());
  }

  private List<String> epochs() throws Exception {
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    for (ArchiveContents.StreamContents stream : streams) {
      assertFalse(stream.holdsBytesTwice(), "bytes held twice: " + stream);
      assertEquals(List.of(), stream.gaps(), "gaps of " + stream);
    }
    return streams.stream()
        .map(stream -> runs(new String(stream.prefix(), StandardCharsets.US_ASCII)))
        .toList();
  }

  /** Returns text such as 900B700D. */
  private static String runs(String text) {
    StringBuilder runs = new StringBuilder();
    for (int from = 0, to; from < text.length(); from = to) {
      char letter = text.charAt(from);
      for (to = from; to < text.length() && text.charAt(to) == letter; to++) {}
      runs.append(to - from).append(letter);
    }
    return runs.toString();
  }

  /** How the trouble ends. */
  private enum End {
    /** The disk has room again some time before the agent is closed. */
    BEFORE_THE_CLOSE,
    /** When the agent has delivered all and is about to be closed. */
    AT_THE_CLOSE,
    /** When the agent is gone. */
    AFTER_THE_CLOSE
  }

  private void close(TestAgent agent, End end) throws Exception {
    BooleanSupplier open =
        () -> agent.agent.status().problems().stream().anyMatch(p -> p.subject().equals(PROBLEM));
    TestAgent.await("the trouble is reported", () -> isReported(agent));
    if (end == End.BEFORE_THE_CLOSE) {
      trouble.set(StateTrouble.Kind.NONE);
      TestAgent.await("it is saved after all", () -> !open.getAsBoolean());
    } else if (end == End.AT_THE_CLOSE) {
      trouble.set(StateTrouble.Kind.NONE);
    }
    agent.close();
    trouble.set(StateTrouble.Kind.NONE);
  }

  private void appendWhileTheStateIsFull(End end) throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    close(agent, end);
    append('C', 1000);
    try (TestAgent next = start()) {
      deliverNext(next);
    }
    assertEquals(List.of("1000A1000B1000C"), epochs());
  }

  @Test
  void whatWasDeliveredWhileTheStateWasFullIsNotDeliveredAgainWhenItIsSavedLater()
      throws Exception {
    appendWhileTheStateIsFull(End.BEFORE_THE_CLOSE);
  }

  @Test
  void whatWasDeliveredWhileTheStateWasFullIsNotDeliveredAgainWhenItIsSavedAtTheEnd()
      throws Exception {
    appendWhileTheStateIsFull(End.AT_THE_CLOSE);
  }

  @Test
  void whatWasDeliveredWhileTheStateWasFullIsNotDeliveredAgainWhenItIsNeverSaved()
      throws Exception {
    appendWhileTheStateIsFull(End.AFTER_THE_CLOSE);
  }

  @Test
  void whatTheStartAfterThatLearnsOfTheDestinationIsNotForgottenByItsCleanEnd() throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    close(agent, End.AFTER_THE_CLOSE);
    try (TestAgent learning = start()) {
      deliverNext(learning);
    }
    append('C', 1000);
    try (TestAgent next = start()) {
      deliverNext(next);
    }
    assertEquals(List.of("1000A1000B1000C"), epochs());
  }

  private void truncateWhileTheStateIsFull(End end, int thirdBytes) throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    rewrite('B', 900);
    agent.awaitDelivered(log);
    close(agent, end);
    rewrite('C', thirdBytes);
    try (TestAgent next = start()) {
      next.awaitDelivered(log);
      append('D', 1000);
      deliverNext(next);
    }
    assertEquals(List.of("1000A", "900B", thirdBytes + "C1000D"), epochs());
  }

  @Test
  void twoFilesAreNotMixedWhenATruncationWasSavedLater() throws Exception {
    truncateWhileTheStateIsFull(End.BEFORE_THE_CLOSE, 600);
  }

  @Test
  void twoFilesAreNotMixedWhenATruncationWasSavedAtTheEnd() throws Exception {
    truncateWhileTheStateIsFull(End.AT_THE_CLOSE, 600);
  }

  @Test
  void twoFilesAreNotMixedWhenATruncationWasNeverSaved() throws Exception {
    truncateWhileTheStateIsFull(End.AFTER_THE_CLOSE, 600);
  }

  @Test
  void twoFilesAreNotMixedWhenATruncationWasNeverSavedAndTheFileIsLongerNow() throws Exception {
    truncateWhileTheStateIsFull(End.AFTER_THE_CLOSE, 1200);
  }

  @Test
  void aFileThatIsAsLongAsItsCheckpointAgainIsNotTakenForUnchanged() throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    close(agent, End.AFTER_THE_CLOSE);
    rewrite('A', 1000);
    try (TestAgent next = start()) {
      deliverNext(next);
      append('C', 1000);
      deliverNext(next);
    }
    assertEquals(List.of("1000A1000B", "1000A1000C"), epochs());
  }

  @Test
  void aFileThatIsShorterThanItsCheckpointDoesNotHideWhatWasDeliveredBeyond() throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    close(agent, End.AFTER_THE_CLOSE);
    rewrite('C', 10);
    try (TestAgent next = start()) {
      deliverNext(next);
    }
    assertEquals(List.of("1000A1000B", "10C"), epochs());
    assertEquals(
        2000,
        place
            .contents()
            .streams()
            .getFirst()
            .record()
            .orElseThrow()
            .end()
            .orElseThrow()
            .sizeBytes());
  }

  @Test
  void aTruncationAfterTheStartDoesNotMeetAStreamOfWhichNothingWasSaved() throws Exception {
    append('A', 10);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    rewrite('B', 5);
    agent.awaitDelivered(log);
    append('B', 900);
    agent.awaitDelivered(log);
    close(agent, End.AFTER_THE_CLOSE);
    // As the checkpoint knows it, and then truncated once more.
    rewrite('A', 10);
    try (TestAgent next = start()) {
      next.awaitDelivered(log);
      rewrite('C', 6);
      deliverNext(next);
      append('C', 1000);
      deliverNext(next);
    }
    assertEquals("905B", epochs().get(1));
    assertEquals("1006C", epochs().getLast());
  }

  @Test
  void aStreamThatEndedWhileTheStateWasFullLeavesNoFalseGap() throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    Files.delete(log);
    TestAgent.await(
        "the archive says that it has ended",
        () -> place.contents().streams().getFirst().record().flatMap(r -> r.end()).isPresent());
    close(agent, End.AT_THE_CLOSE);
    try (TestAgent next = start()) {
      deliverNext(next);
    }
    assertEquals(List.of("1000A1000B"), epochs());
  }

  @Test
  void newFilesAreDeliveredWhileTheStateIsFull() throws Exception {
    append('A', 1000);
    try (TestAgent agent = start()) {
      agent.awaitDelivered(log);
      trouble.set(StateTrouble.Kind.FULL);
      // The first fails the table of files, the next has it opened again, and later ones are to be
      // looked up in it.
      for (int number = 1; number <= 4; number++) {
        agent.awaitDelivered(Files.writeString(place.log(number + ".log"), "one\n"));
      }
      trouble.set(StateTrouble.Kind.NONE);
      assertTrue(agent.drain().isComplete());
    }
    try (TestAgent next = start()) {
      deliverNext(next);
      assertEquals(0, next.agent().counters().rawBytes(), "delivered again");
    }
  }

  @Test
  void aRunOfWhichSomethingCouldNotBeSavedIsNotCalledClean() throws Exception {
    append('A', 1000);
    TestAgent agent = start();
    agent.awaitDelivered(log);
    trouble.set(StateTrouble.Kind.FULL);
    append('B', 1000);
    agent.awaitDelivered(log);
    TestAgent.await("the trouble is reported", () -> isReported(agent));
    deliverNext(agent); // Every byte is delivered all the same.
    close(agent, End.AFTER_THE_CLOSE);
    try (KeyValueStore store =
            TransactionLogStore.open(
                TestAgent.REAL_CALLS, PosixPath.of(place.state()), StoreOptions.defaults());
        Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      assertEquals(
          CheckpointStore.PreviousRun.INTERRUPTED,
          new CheckpointStore(store, store, archive.uri().toString()).begin());
    }
  }
}
