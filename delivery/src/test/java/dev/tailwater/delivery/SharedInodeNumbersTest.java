package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.NumberedCalls;
import dev.tailwater.posix.value.EntryType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where inodes have no generations, a file may get the number of one that the agent has closed.
 * File systems that show several others as one, such as bindfs and 9p, may even pass on a number
 * that two files have at the same time.
 */
class SharedInodeNumbersTest {
  private static final FileTime TIME = FileTime.fromMillis(1_795_000_000_000L);
  private static final long NUMBER = 12;

  private final Map<Long, Long> numbers = new ConcurrentHashMap<>();
  private TestAgent.Place place;

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
  }

  private Path write(String name, char begin) throws IOException {
    byte[] bytes = new byte[10_000];
    Arrays.fill(bytes, 0, 9_000, (byte) begin);
    // Elsewhere first: the agent must see none with another number or time.
    Path made = Files.write(place.base().resolve("made"), bytes);
    Files.setLastModifiedTime(made, TIME);
    numbers.put((Long) Files.getAttribute(made, "unix:ino"), NUMBER);
    return Files.move(made, place.log(name));
  }

  private FileCalls calls() {
    return NumberedCalls.of(
        TestAgent.REAL_CALLS,
        status ->
            status.type() == EntryType.REGULAR
                ? OptionalLong.of(numbers.getOrDefault(status.inode(), status.inode()))
                : OptionalLong.empty());
  }

  private TestAgent start(int openFiles) throws IOException {
    return TestAgent.start(
        place.config().toBuilder().filesInMemory(0).goneGrace(Duration.ofMinutes(1)).build(),
        place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
        calls(),
        openFiles);
  }

  private static boolean isAboutNumbers(Problem problem) {
    return problem.subject().equals("inode numbers");
  }

  private void assertArchived(Path file, byte[] bytes) throws IOException {
    PosixPath path = PosixPath.of(file);
    assertTrue(
        place.contents().streams().stream()
            .filter(
                stream ->
                    stream
                        .record()
                        .map(SharedInodeNumbersTest::lastPath)
                        .map(path::equals)
                        .orElse(true))
            .anyMatch(stream -> Arrays.equals(bytes, stream.prefix())),
        "not archived: " + file);
  }

  private static PosixPath lastPath(StreamRecord record) {
    return record.paths().getLast().path();
  }

  private static boolean isOpen(Path file) throws IOException {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      for (Path one : all.toList()) {
        if (Files.isSymbolicLink(one) && Files.readSymbolicLink(one).equals(file)) {
          return true;
        }
      }
      return false;
    }
  }

  @Test
  void aFileThatHasTheNumberOfAClosedOneIsComparedWithIt() throws Exception {
    Path one = write("one.db", 'a');
    try (TestAgent agent = start(1)) {
      agent.awaitDelivered(one);
      Path third = Files.writeString(place.log("third.db"), "for which the first is closed");
      agent.awaitDelivered(third);
      TestAgent.await("the first is closed", () -> !isOpen(one));
      Files.delete(one);
      Path other = write("other.db", 'b');
      assertTrue(agent.drain().isComplete());
      assertArchived(other, Files.readAllBytes(other));
    }
  }

  @Test
  void aFileThatHasTheNumberOfAnotherAtTheSameTimeIsReported() throws Exception {
    var _ = write("one.db", 'a');
    var _ = write("other.db", 'b');
    try (TestAgent agent = start(10)) {
      TestAgent.await(
          "it is reported", () -> agent.problems.stream().anyMatch(p -> isAboutNumbers(p)));
      assertFalse(agent.agent().drainAndGoOn(Duration.ofSeconds(2)).isComplete());
    }
  }

  @Test
  void aFileThatAppearsWithTheNumberOfAnotherIsReportedUntilThatIsGone() throws Exception {
    Path one = write("one.db", 'a');
    try (TestAgent agent = start(10)) {
      agent.awaitDelivered(one);
      Path other = write("other.db", 'b');
      TestAgent.await(
          "it is reported", () -> agent.problems.stream().anyMatch(p -> isAboutNumbers(p)));
      assertFalse(agent.agent().drainAndGoOn(Duration.ofSeconds(2)).isComplete());
      assertArchived(one, Files.readAllBytes(one));
      Files.delete(other);
      TestAgent.await("it is over", () -> agent.ended.stream().anyMatch(p -> isAboutNumbers(p)));
      assertTrue(agent.drain().isComplete());
    }
  }

  @Test
  void aRenamedFileIsNotTakenForTwo() throws Exception {
    Path one = write("one.db", 'a');
    try (TestAgent agent = start(10)) {
      agent.awaitDelivered(one);
      Path name = Files.move(one, place.log("other.db"));
      assertTrue(agent.drain().isComplete());
      assertTrue(agent.problems.isEmpty(), agent.problems.toString());
      assertArchived(name, Files.readAllBytes(name));
    }
  }

  @Test
  void aSourceThatIsALinkToAnotherHasTheSameFiles() throws Exception {
    Path one = write("one.db", 'a');
    Path link = Files.createSymbolicLink(place.base().resolve("link"), place.logs());
    List<Source> sources =
        List.of(
            new Source(PosixPath.of(place.logs()), List.of(), List.of()),
            new Source(PosixPath.of(link), List.of(), List.of()));
    try (TestAgent agent =
        TestAgent.start(
            place.config().toBuilder().sources(sources).build(),
            place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE),
            calls())) {
      agent.awaitDelivered(one);
      assertTrue(agent.drain().isComplete());
      assertFalse(agent.problems.stream().anyMatch(p -> isAboutNumbers(p)));
    }
  }
}
