package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody removes or replaces the state directory while the agent runs. */
class RemovedStateTest {
  private static final String SUBJECT = "place of the state directory";

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }

  private static List<String> told(List<Problem> problems) {
    return problems.stream()
        .filter(problem -> problem.subject().equals(SUBJECT))
        .map(Problem::message)
        .toList();
  }

  private static void awaitDelivered(TestAgent agent, Path file) throws Exception {
    TestAgent.await(
        file + " is delivered", () -> agent.agent.status(PosixPath.of(file)).isDelivered());
  }

  @Test
  void saysOnceThatItWasRemovedAndDeliversAll(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = Files.writeString(place.log("a.log"), "before");
    List<Problem> problems;
    try (TestAgent agent = TestAgent.start(place)) {
      problems = agent.problems;
      awaitDelivered(agent, file);
      remove(place.state());
      TestAgent.await("it is said", () -> !told(agent.agent.status().problems()).isEmpty());
      Files.writeString(file, " and after", StandardOpenOption.APPEND);
      Path fresh = Files.writeString(place.log("b.log"), "fresh");
      awaitDelivered(agent, file);
      awaitDelivered(agent, fresh);
      DrainReport report = agent.drain();
      assertTrue(report.isComplete(), report::toString);
    }
    assertEquals(
        List.of("the state directory " + place.state() + " was removed while the agent runs"),
        told(problems));
    try (TestAgent next = TestAgent.start(place)) {
      assertTrue(next.drain().isComplete());
    }
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertFalse(stream.holdsBytesTwice(), stream + " is there twice");
    }
  }

  @Test
  void saysAtTheEndThatItWasRemovedJustBefore(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    List<Problem> problems;
    try (TestAgent agent = TestAgent.start(place)) {
      problems = agent.problems;
      assertTrue(agent.drain().isComplete());
      remove(place.state());
    }
    assertEquals(1, told(problems).size());
  }

  @Test
  void saysThatItWorksAgainWhenItIsPutBack(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path elsewhere = base.resolve("elsewhere");
    try (TestAgent agent = TestAgent.start(place)) {
      Files.move(place.state(), elsewhere);
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      Files.createSymbolicLink(place.state(), elsewhere);
      TestAgent.await("it is over", () -> !told(agent.ended).isEmpty());
    }
  }

  @Test
  void knowsWhetherThePathLeadsToItsOwnDirectory(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path elsewhere = base.resolve("elsewhere");
    try (TestAgent agent = TestAgent.start(place)) {
      assertTrue(agent.agent.isStateInPlace());
      Files.move(place.state(), elsewhere);
      assertFalse(agent.agent.isStateInPlace());
      Files.createDirectory(place.state());
      assertFalse(agent.agent.isStateInPlace());
      Files.delete(place.state());
      Files.createSymbolicLink(place.state(), elsewhere);
      assertTrue(agent.agent.isStateInPlace());
    }
  }

  @Test
  void saysThatOnlyTheLockWasRemoved(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    try (TestAgent agent = TestAgent.start(place)) {
      Files.delete(place.state().resolve("LOCK"));
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      assertEquals(
          List.of(place.state().resolve("LOCK") + " was removed while the agent runs"),
          told(agent.problems));
      String hint = agent.problems.getFirst().hint().orElseThrow();
      assertTrue(hint.contains("what is saved there is kept"), hint);
      assertTrue(agent.drain().isComplete());
    }
  }

  private static Path anyIn(Path directory, String pattern) throws IOException {
    try (Stream<Path> names = Files.list(directory)) {
      return names
          .filter(name -> name.getFileName().toString().matches(pattern))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void saysThatTheTableOfFilesWasRemovedAndDeliversNothingTwice(@TempDir Path base)
      throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = Files.writeString(place.log("a.log"), "before");
    Path table = place.state().resolve("files");
    try (TestAgent agent = TestAgent.start(place)) {
      awaitDelivered(agent, file);
      remove(table);
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      assertEquals(
          List.of("the table of files, " + table + " was removed while the agent runs"),
          told(agent.problems));
      Files.writeString(file, " and after", StandardOpenOption.APPEND);
      awaitDelivered(agent, file);
      assertTrue(agent.drain().isComplete());
    }
    try (TestAgent next = TestAgent.start(place)) {
      assertTrue(next.drain().isComplete());
    }
    for (ArchiveContents.StreamContents stream : place.contents().streams()) {
      assertFalse(stream.holdsBytesTwice(), stream + " is there twice");
    }
  }

  @Test
  void saysThatADataFileOfTheTableWasRemoved(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    try (TestAgent agent = TestAgent.start(place)) {
      Path file = anyIn(place.state().resolve("files"), "data-.*");
      Files.delete(file);
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      assertEquals(
          List.of("the table of files, " + file + " was removed while the agent runs"),
          told(agent.problems));
    }
  }

  @Test
  void saysThatTheLogOfNotesWasRemoved(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    try (TestAgent agent = TestAgent.start(place)) {
      Path file = anyIn(place.state(), "log-.*");
      Files.delete(file);
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      assertEquals(List.of(file + " was removed while the agent runs"), told(agent.problems));
    }
  }

  /** Another agent may be about to start there, or may run there. */
  @Test
  void writesNothingIntoTheDirectoryThatReplacedIt(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path lost = base.toRealPath().resolve("lost");
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, call -> failing(call, lost));
    Path file = Files.writeString(place.log("a.log"), "before");
    try (TestAgent agent = TestAgent.start(place, place.config(), calls.calls())) {
      awaitDelivered(agent, file);
      Files.move(place.state(), lost);
      Files.createDirectory(place.state());
      TestAgent.await("it is said", () -> !told(agent.problems).isEmpty());
      for (int round = 0; round < 4; round++) {
        Files.writeString(file, " and after", StandardOpenOption.APPEND);
        awaitDelivered(agent, file);
        Thread.sleep(700);
      }
      assertTrue(agent.drain().isComplete());
      assertEquals(
          List.of(
              "the state directory "
                  + place.state()
                  + " was emptied or replaced while the agent runs"),
          told(agent.problems));
    }
    try (Stream<Path> names = Files.list(place.state())) {
      assertEquals(List.of(), names.toList());
    }
  }

  /** After EIO a store takes no more writes, and is opened again. */
  private static Fault failing(Call call, Path lost) {
    if (!call.is("fdatasync")) {
      return Fault.PROCEED;
    }
    try {
      Path file = Path.of("/proc/self/fd/" + call.arguments().getFirst()).toRealPath();
      return file.startsWith(lost.resolve("files")) ? new Fault.Fail(Errno.EIO) : Fault.PROCEED;
    } catch (IOException gone) {
      return Fault.PROCEED;
    }
  }
}
