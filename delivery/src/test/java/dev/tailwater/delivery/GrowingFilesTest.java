package dev.tailwater.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.drain.DrainListener;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains of files that grow all the time, so that never all of what was read is durable. */
class GrowingFilesTest {
  private static final int LINES = 400_000;
  private static final int REPLACED_AT = 1_000_000;
  private static final byte[] MORE = "more\n".repeat(4_000).getBytes(UTF_8);

  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final AtomicBoolean growing = new AtomicBoolean(true);
  private final AtomicBoolean replacing = new AtomicBoolean();
  private final AtomicInteger comparisons = new AtomicInteger();
  private final AtomicReference<String> whenSafe = new AtomicReference<>("never safe");
  private TestAgent.Place place;
  private Path log;
  private Thread writer = new Thread();

  @BeforeEach
  void choosePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.writeString(place.log("app.log"), "line\n".repeat(LINES));
  }

  @AfterEach
  void stopWriting() throws Exception {
    growing.set(false);
    writer.join();
  }

  private TestAgent start() throws Exception {
    return TestAgent.start(place.config(), archive, countingCalls());
  }

  /** Counts how often the thread that compares reads the beginning of a file. */
  private FileCalls countingCalls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, called, arguments) -> {
              if (called.getName().startsWith("pread")
                  && Thread.currentThread().getName().equals("compare")
                  && Arrays.asList(arguments).contains(0L)) {
                comparisons.incrementAndGet();
              }
              try {
                return called.invoke(TestAgent.REAL_CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Has each segment arrive when the next one is on its way, if one follows. */
  private void overlapDeliveries() {
    AtomicInteger begun = new AtomicInteger();
    archive.onSegment(
        () -> {
          int next = begun.incrementAndGet() + 1;
          for (int i = 0; i < 200 && begun.get() < next; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
          }
        });
  }

  /** Has the file grow until the test is over. */
  private void grow(Duration pause) throws Exception {
    long before = Files.size(log);
    writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; growing.get(); i++) {
                    append();
                    if (replacing.get()) {
                      replace("%05d".formatted(i % 100_000));
                    }
                    LockSupport.parkNanos(pause.toNanos());
                  }
                });
    TestAgent.await("it has grown", () -> Files.size(log) > before + 10L * MORE.length);
  }

  private void append() {
    try {
      Files.write(log, MORE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void replace(String line) {
    try (RandomAccessFile open = new RandomAccessFile(log.toFile(), "rw")) {
      open.seek(REPLACED_AT);
      open.write(line.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String heldLine() {
    try {
      return new String(
          archive.contents().bornAt(log.toString()).getFirst().prefix(), REPLACED_AT, 5, UTF_8);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void goDown(TestAgent agent, Duration deadline) throws Exception {
    assertTrue(
        agent
            .agent()
            .goDown(deadline, DrainListener.NONE, () -> whenSafe.set(heldLine()), () -> false)
            .isPresent());
  }

  @Test
  void isNotSafeBeforeBytesThatWereReplacedInAFileThatGrowsAreDelivered() throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      overlapDeliveries();
      grow(Duration.ofMillis(5));
      replace("LINE\n");
      goDown(agent, Duration.ofSeconds(6));
    }
    assertEquals("LINE\n", whenSafe.get());
  }

  @Test
  void isNotSafeBeforeTheSameIfTheyWereReplacedWhileNoAgentRanAndTheStateIsLost() throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      append(); // A stream of one range would be delivered anew.
      assertTrue(agent.drain().isComplete());
    }
    Files.move(place.state(), place.base().resolve("lost"));
    replace("LINE\n");
    overlapDeliveries();
    grow(Duration.ofMillis(5));
    try (TestAgent agent = start()) {
      agent.awaitSeen(log);
      goDown(agent, Duration.ofSeconds(6));
    }
    assertEquals("LINE\n", whenSafe.get());
  }

  @Test
  void aSignalHasBytesThatWereReplacedInAFileThatGrowsDelivered() throws Exception {
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      overlapDeliveries();
      grow(Duration.ofMillis(5));
      replace("LINE\n");
      agent.drain();
      assertEquals("LINE\n", heldLine());
    }
  }

  @Test
  void aFileThatGrowsAndIsOverwrittenForEverKeepsNoDrainFromItsEnd() throws Exception {
    try (TestAgent agent = start()) {
      overlapDeliveries();
      replacing.set(true);
      grow(Duration.ofMillis(5));
      assertTimeoutPreemptively(Duration.ofSeconds(60), agent::drain);
    }
  }

  /** Between its deliveries all that was read of it is durable. */
  @Test
  void aLongFileThatGrowsIsNotReadAsAWholeAgainAndAgainWhileAMachineGoesAway() throws Exception {
    Files.writeString(log, "line\n".repeat(8_000_000));
    try (TestAgent agent = start()) {
      assertTrue(agent.agent().drainAndGoOn(Duration.ofMinutes(1)).isComplete());
      grow(Duration.ofMillis(40));
      comparisons.set(0);
      goDown(agent, Duration.ofSeconds(8));
    }
    assertEquals("line\n", whenSafe.get());
    assertTrue(comparisons.get() < 60, comparisons::toString);
  }
}
