package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files grow and are renamed while two destinations come and go, the state's disk is full or slow,
 * and agents are stopped, killed and robbed of their state: in the end each destination has every
 * byte once. {@code -Dtailwater.seed=N} repeats a run.
 */
@ExtendWith(CrashTrials.class)
class SeveralDestinationsRandomTest {
  private static final int ACTIONS = 60;
  private static final int FILES = 5;
  private static final int MAX_APPEND_BYTES = 400_000;

  private final SwitchedDestination first = SwitchedDestination.inMemory("first");
  private final SwitchedDestination second = SwitchedDestination.inMemory("second");
  private final List<Path> files = new ArrayList<>();

  @TempDir Path base;

  private record Life(TestAgent agent, FaultyFileCalls calls, StateTrouble trouble) {
    /** What was not saved is saved by now, as long as there is an agent to do it. */
    void awaitSaved() throws Exception {
      trouble.set(StateTrouble.Kind.NONE);
      TestAgent.await(
          "the state is saved",
          () ->
              agent.agent.status().problems().stream()
                  .noneMatch(problem -> problem.subject().equals("state directory")));
    }

    /** The process is gone between two instructions. */
    void kill() throws IOException {
      calls.kill();
      try {
        agent.close(); // Ends the threads; nothing that they do to files has any effect.
      } catch (CrashError | IOException | RuntimeException e) {
        if (!calls.crashed()) {
          throw e;
        }
      }
    }
  }

  private Life start(TestAgent.Place place) throws IOException {
    StateTrouble trouble = new StateTrouble(place.state());
    FaultyFileCalls calls = FaultyFileCalls.wrap(TestAgent.REAL_CALLS, trouble);
    TestAgent agent =
        TestAgent.start(
            place.config(), List.of(first.required(), second.required()), calls.calls());
    return new Life(agent, calls, trouble);
  }

  @Test
  void whateverHappensEachDestinationHasEveryByteOnceInTheEnd() throws Exception {
    long seed = Long.getLong("tailwater.seed", System.nanoTime());
    try {
      run(new Random(seed));
    } catch (Exception | AssertionError e) {
      throw new AssertionError("with -Dtailwater.seed=" + seed + ": " + e, e);
    }
  }

  private void run(Random random) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    for (int i = 0; i < FILES; i++) {
      files.add(Files.createFile(place.log("file" + i)));
    }
    Life life = start(place);
    for (int action = 0; action < ACTIONS; action++) {
      switch (random.nextInt(14)) {
        case 0 -> second.set(any(random, Mode.DOWN, Mode.FULL, Mode.HANGING));
        case 1 -> first.set(any(random, Mode.DOWN, Mode.TAKES_NO_SEGMENTS));
        case 2 -> second.set(Mode.UP);
        case 3 -> first.set(Mode.UP);
        case 4 -> rename(random.nextInt(FILES), place.log("renamed" + action));
        case 5 -> {
          if (random.nextInt(3) == 0) {
            life.awaitSaved();
            life.kill();
            life = start(place);
          }
        }
        case 6 -> {
          if (random.nextInt(3) == 0) {
            life.trouble().set(StateTrouble.Kind.NONE);
            life.agent().close();
            if (random.nextBoolean()) {
              Files.move(place.state(), place.base().resolve("lost" + action));
            }
            life = start(place);
          }
        }
        case 7 ->
            life.trouble()
                .set(random.nextBoolean() ? StateTrouble.Kind.FULL : StateTrouble.Kind.SLOW_SYNCS);
        case 8 -> life.trouble().set(StateTrouble.Kind.NONE);
        default -> append(random);
      }
      Thread.sleep(random.nextInt(30));
    }
    first.set(Mode.UP);
    second.set(Mode.UP);
    life.trouble().set(StateTrouble.Kind.NONE);
    try (TestAgent agent = life.agent()) {
      DrainReport report = agent.agent.drain(Optional.of(Duration.ofSeconds(60)));
      assertTrue(report.isComplete(), report.toString());
    }
    assertEquals(List.of(), life.calls().openDescriptors());
    assertHoldsAll(first);
    assertHoldsAll(second);
  }

  private static Mode any(Random random, Mode... modes) {
    return modes[random.nextInt(modes.length)];
  }

  private void rename(int file, Path to) throws IOException {
    files.set(file, Files.move(files.get(file), to));
  }

  private void append(Random random) throws IOException {
    byte[] bytes = new byte[1 + random.nextInt(MAX_APPEND_BYTES)];
    random.nextBytes(bytes);
    Files.write(files.get(random.nextInt(FILES)), bytes, StandardOpenOption.APPEND);
  }

  private void assertHoldsAll(SwitchedDestination destination) throws Exception {
    Map<String, ArchiveContents.StreamContents> byLastPath = new HashMap<>();
    for (ArchiveContents.StreamContents stream : destination.contents().streams()) {
      assertFalse(stream.holdsBytesTwice(), destination.uri() + " holds bytes twice: " + stream);
      byLastPath.put(
          stream.record().map(r -> r.lastPath().toString()).orElse(stream.birthPath), stream);
    }
    assertEquals(FILES, byLastPath.size(), destination.uri() + " has " + byLastPath);
    for (Path file : files) {
      ArchiveContents.StreamContents stream = byLastPath.get(file.toString());
      assertTrue(stream != null, destination.uri() + " lacks " + file + " of " + byLastPath);
      assertArrayEquals(
          Files.readAllBytes(file), stream.prefix(), destination.uri() + " of " + file);
    }
  }
}
