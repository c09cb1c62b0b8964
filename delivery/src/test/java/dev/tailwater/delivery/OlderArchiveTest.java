package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An archive that was emptied, or replaced by an earlier copy of itself, is noticed, and what it
 * lacks is delivered again; nothing else is taken for that.
 */
class OlderArchiveTest extends RunsOfOneAgent {
  private void emptyArchive() throws IOException {
    Path archive = place.archive();
    Files.move(archive, Files.createTempDirectory(place.base(), "gone").resolve("archive"));
    Files.createDirectory(archive);
  }

  @ParameterizedTest
  @EnumSource
  void whatAnEmptiedArchiveLacksIsDeliveredAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    append("other.log", "1\n");
    run(told);
    emptyArchive();
    append("app.log", "two\n");
    assertEquals(10, run(told, "older archive"));
    assertEquals(List.of("one\ntwo\n"), texts(log));
    assertEquals(List.of("1\n"), texts(place.log("other.log")));
    assertEquals(0, run(told));
  }

  /** No receipt was put yet, since the run was killed within its first minute. */
  @ParameterizedTest
  @EnumSource
  void whatAnEmptiedArchiveLacksIsDeliveredAgainAfterAKill(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    try (TestAgent agent = start(told)) {
      agent.awaitDelivered(log);
    }
    emptyArchive();
    assertEquals(4, run(told, "older archive"));
    assertEquals(List.of("one\n"), texts(log));
    assertEquals(0, run(told));
  }

  @Test
  void anArchiveThatIsBackAfterAKillIsAskedWhatItHolds() throws Exception {
    Path log = append("app.log", "one\n");
    run(Told.PACKS);
    Path archive = place.base().resolve("archive-elsewhere");
    Files.move(place.archive(), archive);
    Files.createDirectory(place.archive());
    FailingLists failing =
        new FailingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), 1);
    try (TestAgent agent = TestAgent.start(config(Told.PACKS), failing, TestAgent.REAL_CALLS)) {
      TestAgent.await("it lists the archive", () -> !agent.problems.isEmpty());
    }
    emptyArchive();
    Files.delete(place.archive());
    Files.move(archive, place.archive());
    append("app.log", "two\n");
    assertEquals(4, run(Told.PACKS));
    assertEquals(List.of("one\ntwo\n"), texts(log));
  }

  /** Without its state, which the guide has users remove: the agent does not sign. */
  @ParameterizedTest
  @EnumSource(names = {"PACKS", "ENCRYPTED_PACKS"})
  void anArchiveThatIsMountedAgainGetsWhatWentBelowItsMountPoint(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    Path mounted = place.base().resolve("mounted");
    Files.move(place.archive(), mounted);
    Files.createDirectory(place.archive());
    append("app.log", "two\n");
    run(told, "older archive");
    append("app.log", "three\n");
    emptyArchive();
    Files.delete(place.archive());
    Files.move(mounted, place.archive());
    removeState();
    assertEquals(10, run(told));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Removes {@code files} and {@code log-*}. */
  private void removeState() throws IOException {
    List<Path> removed;
    try (Stream<Path> all = Files.walk(place.state())) {
      removed =
          all.filter(
                  file -> {
                    String name = place.state().relativize(file).toString();
                    return name.equals("files")
                        || name.startsWith("files/")
                        || name.startsWith("log-");
                  })
              .sorted(Comparator.reverseOrder())
              .toList();
    }
    assertTrue(removed.size() > 2, removed.toString());
    for (Path file : removed) {
      Files.delete(file);
    }
  }

  @Test
  void anArchiveIsNotMissedBeforeAnythingWasDelivered() throws Exception {
    Files.writeString(place.log("empty.log"), "");
    run(Told.PACKS);
    emptyArchive();
    append("app.log", "one\n");
    assertEquals(4, run(Told.PACKS));
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIPTS", "BOTH"})
  void whatAnEarlierCopyOfTheArchiveLacksIsDeliveredAgain(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    Path earlier = place.base().resolve("earlier-archive");
    TestAgent.Place.copy(place.archive(), earlier);
    append("app.log", "two\n");
    run(told);
    emptyArchive();
    Files.delete(place.archive());
    Files.move(earlier, place.archive());
    append("app.log", "three\n");
    assertEquals(10, run(told, "older archive"));
    assertEquals(List.of("one\ntwo\nthree\n"), texts(log));
  }

  /** Does not tell which streams there are. */
  private static final class FailingLists extends ForwardingDestination {
    private final AtomicInteger answers;

    /**
     * Creates one that fails.
     *
     * @param answers how many such lists it answers before
     */
    FailingLists(Destination real, int answers) {
      super(real);
      this.answers = new AtomicInteger(answers);
    }

    @Override
    public Listing list(String prefix, Optional<String> startAfter, int limit)
        throws DestinationException {
      if (prefix.equals(ArchiveNames.agentPrefix(TestAgent.NAME))
          && answers.getAndDecrement() <= 0) {
        throw new TransientDestinationException(uri(), "list", prefix, "says a test", "");
      }
      return super.list(prefix, startAfter, limit);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIPTS", "BOTH"})
  void anEarlierCopyOfTheArchiveIsFoundAgainAfterAKillWhileItIsListed(Told told) throws Exception {
    Path log = append("app.log", "one\n");
    run(told);
    truncate(log, 0);
    append("app.log", "2\n");
    run(told);
    Path earlier = place.base().resolve("earlier-archive");
    TestAgent.Place.copy(place.archive(), earlier);
    append("app.log", "two\n");
    run(told);
    emptyArchive();
    Files.delete(place.archive());
    Files.move(earlier, place.archive());
    FailingLists failing =
        new FailingLists(place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), 0);
    try (TestAgent agent = TestAgent.start(config(told), failing, TestAgent.REAL_CALLS)) {
      TestAgent.await("it lists the archive", () -> !agent.problems.isEmpty());
    }
    try (TestAgent agent = start(told)) {
      assertTrue(agent.drain().isComplete());
      assertEquals(List.of("one\n", "2\ntwo\n"), texts(log));
      assertEquals(
          List.of("older archive"), agent.problems.stream().map(Problem::subject).toList());
    }
    assertEquals(0, run(told));
  }

  /** The receipts of a run are under the name that the agent had then. */
  @ParameterizedTest
  @EnumSource(Told.class)
  void anotherNameIsNotTakenForAnEmptiedArchive(Told told) throws Exception {
    append("app.log", "one\n");
    run(told);
    append("app.log", "two\n");
    run(named(told, "renamed"), "agent name");
    append("app.log", "three\n");
    run(named(told, "again"), "agent name");
    append("app.log", "four\n");
    run(told);
    assertEquals(List.of("one\ntwo\nthree\nfour\n"), texts(place.log("app.log")));
  }

  @Test
  void anEmptiedArchiveIsNoticedUnderAnotherName() throws Exception {
    append("app.log", "one\n");
    run(Told.RECEIPTS);
    emptyArchive();
    run(named(Told.RECEIPTS, "renamed"), "older archive");
    assertEquals(List.of("one\n"), texts(place.log("app.log")));
    run(named(Told.RECEIPTS, "renamed"));
  }

  private AgentConfig named(Told told, String name) {
    AgentConfig usual = place.config();
    return config(AgentConfig.builder(name, usual.scope().sources(), usual.stateDirectory()), told);
  }
}
