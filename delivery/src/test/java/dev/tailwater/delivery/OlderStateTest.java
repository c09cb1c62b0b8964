package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.ContentCheck;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A state that is older than the archive, as after a machine was set back to a snapshot, is not
 * believed: neither does the agent deliver what contradicts the archive, nor does it deliver twice.
 */
class OlderStateTest extends RunsOfOneAgent {
  private static final String SAID = "older state";

  private Path saved;

  @BeforeEach
  void chooseWhereAStateIsKept() {
    saved = place.base().resolve("saved");
  }

  /** Delivers two lines, of which the state that is kept knows one. */
  private Path deliverTwoLines(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    append("app.log", "two\n");
    run(told);
    place.restoreState(saved);
    return log;
  }

  @ParameterizedTest
  @EnumSource
  void otherBytesThatAreAppendedBeginAStreamOfTheirOwn(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    List<String> delivered = new ArrayList<>(List.of("one\ntwo\n"));
    for (String other : List.of("2\n", "too\n", "three and four\n")) {
      truncate(log, 4);
      append("app.log", other);
      run(told, SAID);
      delivered.add("one\n" + other);
      assertEquals(delivered, texts(log));
      place.restoreState(saved);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheArchiveHasIsNotSentAgain(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    assertEquals(0, run(told, SAID));
    append("app.log", "three\n");
    assertEquals(6, run(told));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatWasTruncatedMeanwhileAndIsBackBeginsAStream(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    truncate(log, 0);
    append("app.log", "2\n");
    run(told);
    place.restoreState(saved);
    truncate(log, 0);
    append("app.log", "one\n");
    run(told, SAID);
    assertEquals(List.of("one\n", "2\n", "one\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatHadAnotherNameMeanwhileHasItsOwnAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    Path renamed = Files.move(log, place.log("app.log.1"));
    append("app.log.1", "two\n");
    run(told);
    place.restoreState(saved);
    Files.move(renamed, log);
    run(told, SAID);
    assertEquals(List.of("one\ntwo\n"), texts(log));
    assertEquals(
        log.toString(), streams(log).getFirst().record().orElseThrow().lastPath().toString());
  }

  @ParameterizedTest
  @EnumSource
  void aStateThatWasSetBackTwiceIsFoundTwice(Told told) throws Exception {
    Path log = deliverTwoLines(told);
    assertEquals(0, run(told, SAID));
    assertEquals(0, run(told));
    append("app.log", "three\n");
    run(told);
    place.restoreState(saved);
    truncate(log, 4);
    append("app.log", "other\n");
    run(told, SAID);
    assertEquals(List.of("one\ntwo\nthree\n", "one\nother\n"), texts(log));
  }

  @ParameterizedTest
  @EnumSource
  void anotherAgentOfTheSameNameIsNoticed(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    place.copyState(saved);
    place.restoreState(Files.createTempDirectory(place.base(), "other"));
    append("app.log", "two\n");
    run(told);
    place.restoreState(saved);
    append("app.log", "three\n");
    assertEquals(6, run(told, SAID));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Neither agent can read the packs of the other. */
  @ParameterizedTest
  @EnumSource
  void namesAtTheEndOfTimeAreNoReasonForDoubt(Told told) throws Exception {
    append("app.log", "one\n");
    run(told);
    PackGroup far = PackGroup.begin(Long.MAX_VALUE, new SecureRandom());
    try (Destination archive = place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE)) {
      for (String key :
          List.of(
              new PackName(new PackId(TestAgent.NAME, far, 0), 1, false).key(),
              new ReceiptName(TestAgent.NAME, far, 0, 0).key())) {
        var _ = archive.putSegment(key, ByteBuffer.wrap(new byte[1]));
      }
    }
    append("app.log", "two\n");
    assertEquals(4, run(told));
    assertEquals(0, run(told));
  }

  @Test
  void anotherAgentOfTheSameNameWithAKeyOfItsOwnIsNoticed() throws Exception {
    AgentConfig keyInState =
        config(Told.ENCRYPTED_PACKS).toBuilder()
            .contentCheck(ContentCheck.WITH_KEY_IN_STATE)
            .build();
    Path log = append("app.log", "one\n");
    assertEquals(4, run(keyInState));
    place.copyState(saved);
    place.restoreState(Files.createTempDirectory(place.base(), "other"));
    append("app.log", "two\n");
    assertEquals(8, run(keyInState, "lost state"));
    place.restoreState(saved);
    append("app.log", "three\n");
    assertEquals(14, run(keyInState, "lost state", SAID));
    assertEquals(List.of("one\n", "one\ntwo\n", "one\ntwo\nthree\n"), texts(log));
    assertEquals(0, run(keyInState));
  }

  @ParameterizedTest
  @EnumSource
  void aStateThatIsItsOwnIsBelievedAfterEachEnd(Told told) throws Exception {
    for (int run = 0; run < 3; run++) {
      append("app.log", "line\n");
      assertEquals(5, run(told));
      try (TestAgent agent = start(told)) {
        append("app.log", "more\n");
        agent.awaitDelivered(place.log("app.log")); // And it is killed.
        assertEquals(List.of(), agent.problems);
      }
    }
    assertEquals(1, texts(place.log("app.log")).size());
  }

  @Test
  void anAgentWithAnotherNameSaysWhichFilesGoOnUnderTheFirst() throws Exception {
    append("app.log", "one\n");
    run(Told.PACKS);
    append("app.log", "two\n");
    AgentConfig renamed =
        AgentConfig.builder(
                "renamed", place.config().scope().sources(), place.config().stateDirectory())
            .build();
    run(renamed, "agent name");
    run(renamed, "agent name");
    assertEquals(List.of("one\ntwo\n"), texts(place.log("app.log")));
    run(Told.PACKS);
  }

  /** Answers no list before it is let go. */
  private static final class HangingLists extends ForwardingDestination {
    final CountDownLatch released = new CountDownLatch(1);

    HangingLists(Destination real) {
      super(real);
    }

    @Override
    public Listing list(String prefix, Optional<String> startAfter, int limit)
        throws DestinationException {
      boolean interrupted = false;
      while (true) {
        try {
          released.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return super.list(prefix, startAfter, limit);
    }
  }

  @Test
  void anAgentThatEndedCleanlyWatchesAlthoughItsDestinationHangs() throws Exception {
    Path log = append("app.log", "one\n");
    run(Told.PACKS);
    append("app.log", "two\n");
    HangingLists hanging =
        new HangingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE));
    try (TestAgent agent = TestAgent.start(config(Told.PACKS), hanging, TestAgent.REAL_CALLS)) {
      try {
        agent.agent().awaitFirstScan();
        assertEquals(1, agent.agent().status().files().watched());
        assertFalse(agent.agent().status(PosixPath.of(log)).isDelivered());
      } finally {
        hanging.released.countDown();
      }
      agent.awaitDelivered(log);
    }
    assertEquals(List.of("one\ntwo\n"), texts(log));
  }
}
