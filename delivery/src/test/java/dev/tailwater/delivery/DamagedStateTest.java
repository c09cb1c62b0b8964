package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.StoreLockedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state directory that a bad disk, or a hand, has spoilt: shipping goes on. */
class DamagedStateTest {
  private TestAgent.Place place;
  private Path log;
  private final Random random = new Random(1);

  /** A way to damage a file. */
  private enum Damage {
    EMPTIED {
      @Override
      byte[] of(byte[] bytes, Random random) {
        return new byte[0];
      }
    },
    CUT {
      @Override
      byte[] of(byte[] bytes, Random random) {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
    },
    FLIPPED {
      @Override
      byte[] of(byte[] bytes, Random random) {
        byte[] other = bytes.clone();
        other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        return other;
      }
    },
    ZEROS {
      @Override
      byte[] of(byte[] bytes, Random random) {
        return new byte[bytes.length];
      }
    },
    GARBAGE {
      @Override
      byte[] of(byte[] bytes, Random random) {
        byte[] other = new byte[1 + random.nextInt(2 * bytes.length)];
        random.nextBytes(other);
        return other;
      }
    };

    abstract byte[] of(byte[] bytes, Random random);
  }

  @BeforeEach
  void makePlace(@TempDir Path base) {
    place = new TestAgent.Place(base);
    log = place.log("a.log");
  }

  @Test
  void goesOnWhicheverFileOfTheStateIsDamagedAndHowever() throws Exception {
    ship(List.of());
    List<Path> files = stateFiles();
    assertFalse(files.isEmpty());
    for (int number = 0; number < files.size(); number++) {
      for (Damage damage : Damage.values()) {
        Path file = stateFiles().get(Math.min(number, stateFiles().size() - 1));
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 0) {
          Files.write(file, damage.of(bytes, random));
          ship(List.of(damage + " of " + file.getFileName()));
        }
      }
    }
  }

  /** As after a torn write, which looks like the end of the log that the store writes. */
  @Test
  void asksTheDestinationWhenTheTableOfFilesLacksItsLastRows() throws Exception {
    ship(List.of());
    Path table = place.state().resolve("files");
    Path older = place.base().resolve("older");
    copy(table, older);
    ship(List.of("a second run"));
    copy(older, table);
    ship(List.of("the table is as it was after the first run"));
    ship(List.of("once more"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> before = Files.list(to)) {
      for (Path file : before.toList()) {
        Files.delete(file);
      }
    }
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void setsADamagedStateAsideAndSaysSoOnce() throws Exception {
    ship(List.of());
    Path file = newestLog();
    Files.write(file, new byte[0]);
    byte[] more = "more\n".getBytes(StandardCharsets.US_ASCII);
    Files.write(log, more, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.drain();
      List<Problem> ofState =
          agent.agent().status().problems().stream()
              .filter(problem -> problem.subject().contains("state.damaged-"))
              .toList();
      assertEquals(1, ofState.size(), agent.problems.toString());
      Problem problem = ofState.getFirst();
      assertTrue(problem.message().contains(file.getFileName().toString()), problem.message());
      assertFalse(problem.bytesDependOnIt(), "everything is delivered");
      assertEquals(1, problem.times());
    }
    try (Stream<Path> inState = Files.list(place.state())) {
      List<Path> aside =
          inState.filter(p -> p.getFileName().toString().startsWith("state.damaged-")).toList();
      assertEquals(1, aside.size());
      assertTrue(
          Files.exists(aside.getFirst().resolve(file.getFileName())), "the evidence is kept");
    }
    try (TestAgent agent = TestAgent.start(place)) {
      agent.drain();
      assertEquals(List.of(), agent.problems);
    }
    assertArchiveHoldsTheLogOnce("after the damage");
  }

  @Test
  void setsNothingAsideForAReadErrorOrALockThatIsHeld() throws Exception {
    ship(List.of());
    List<Path> before = stateFiles();
    FaultyFileCalls failing =
        FaultyFileCalls.wrap(
            TestAgent.REAL_CALLS,
            FaultPlan.when(call -> call.is("pread"), new Fault.Fail(Errno.EIO)));
    assertThrows(
        IOException.class, () -> TestAgent.start(place, place.config(), failing.calls()).close());
    assertEquals(before, stateFiles());
    Files.write(newestLog(), new byte[0]);
    try (TestAgent first = TestAgent.start(place)) {
      Files.write(newestLog(), new byte[0]); // while it is in use
      assertThrows(StoreLockedException.class, () -> TestAgent.start(place).close());
      first.drain();
    }
  }

  /** Appends, delivers, stops the agent, and compares the archive with the file. */
  private void ship(List<String> after) throws Exception {
    String line = "line " + random.nextInt() + after + "\n";
    Files.writeString(log, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (TestAgent agent = TestAgent.start(place)) {
      agent.drain();
    } catch (IOException | RuntimeException failed) {
      throw new AssertionError(after.toString(), failed);
    }
    assertArchiveHoldsTheLogOnce(after.toString());
  }

  private void assertArchiveHoldsTheLogOnce(String after) throws Exception {
    byte[] expected = Files.readAllBytes(log);
    List<ArchiveContents.StreamContents> streams = new ArrayList<>(place.contents().streams());
    assertEquals(1, streams.size(), after);
    assertArrayEquals(expected, streams.getFirst().prefix(), after);
    assertFalse(streams.getFirst().holdsBytesTwice(), after);
    assertEquals(List.of(), streams.getFirst().gaps(), after);
  }

  private List<Path> stateFiles() throws IOException {
    try (Stream<Path> files = Files.list(place.state());
        Stream<Path> table = Files.list(place.state().resolve("files"))) {
      return Stream.concat(files, table).filter(Files::isRegularFile).sorted().toList();
    }
  }

  private Path newestLog() throws IOException {
    return stateFiles().stream()
        .filter(file -> file.getFileName().toString().startsWith("log-"))
        .reduce((older, newer) -> newer)
        .orElseThrow();
  }
}
