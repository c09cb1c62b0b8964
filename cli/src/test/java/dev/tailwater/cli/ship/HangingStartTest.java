package dev.tailwater.cli.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.Program;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.destination.Destination;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose only destination does not answer when it is opened. */
class HangingStartTest {
  private static final long PATIENCE_SECONDS = 60;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong laterNanos = new AtomicLong();
  private final StopSignals signals = new StopSignals(() -> System.nanoTime() + laterNanos.get());
  private final CountDownLatch opening = new CountDownLatch(1);
  private final CountDownLatch back = new CountDownLatch(1);
  private final CompletableFuture<Integer> halted = new CompletableFuture<>();
  private Path base;

  @BeforeEach
  void makePlaces(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    Files.createDirectories(base.resolve("logs"));
    Files.createDirectories(base.resolve("archive"));
  }

  private Destination hanging(Destination destination) {
    opening.countDown();
    try {
      assertTrue(back.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return destination;
  }

  private FutureTask<ExitCode> start(Duration drainDeadline) throws Exception {
    ShipPlan plan =
        TestPlan.of(
            base,
            base.resolve("archive").toUri(),
            new ShipSettings.Builder()
                .set(ShipKey.DRAIN_DEADLINE, Durations.format(drainDeadline))
                .set(ShipKey.NOTICES, "off")
                .build());
    AgentProcess process = new AgentProcess(plan, surroundings(), this::hanging, halted::complete);
    FutureTask<ExitCode> run = new FutureTask<>(() -> process.untilSignal(signals));
    Thread.ofPlatform().daemon(true).start(run);
    assertTrue(opening.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    return run;
  }

  private Surroundings surroundings() {
    return new Surroundings(
        new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
        new PrintStream(err, true, UTF_8),
        Map.of(),
        base,
        OptionalInt.empty());
  }

  private String said() {
    return err.toString(UTF_8);
  }

  /** What a process does that was not halted, as here. */
  private void goOn(FutureTask<ExitCode> run) throws Exception {
    assertFalse(run.isDone());
    back.countDown();
    run.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void twoSignalsEndIt() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofHours(1));
    signals.arrived("TERM");
    laterNanos.set(StopSignals.SAME.toNanos());
    signals.arrived("TERM");
    assertEquals(3, halted.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertTrue(said().contains("nothing was delivered in this run"), this::said);
    goOn(run);
  }

  @Test
  void oneSignalEndsItAtTheDeadlineOfTheDrain() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofMillis(50));
    signals.arrived("TERM");
    assertEquals(3, halted.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertTrue(said().contains("the start has not ended"), this::said);
    goOn(run);
  }

  @Test
  void oneSignalDrainsWhenItIsOverInTime() throws Exception {
    Files.writeString(base.resolve("logs/a.log"), "line\n");
    FutureTask<ExitCode> run = start(Duration.ofDays(36_500)); // The longest that can be given.
    signals.arrived("TERM");
    back.countDown();
    assertEquals(ExitCode.DONE, run.get(PATIENCE_SECONDS, TimeUnit.SECONDS), this::said);
    assertFalse(halted.isDone(), this::said);
    assertTrue(said().contains("nothing is left"), this::said);
  }

  @Test
  void statusAndDrainSayThatItIsStarting() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofHours(1));
    for (List<String> command :
        List.of(List.of("status"), List.of("status", "--metrics"), List.of("drain"))) {
      err.reset();
      List<String> all = new ArrayList<>(command);
      all.addAll(List.of("--state", "state"));
      assertEquals(1, new Program(surroundings()).run(all.toArray(String[]::new)));
      String process = "process " + ProcessHandle.current().pid() + " uses ";
      assertTrue(said().startsWith("tailwater: " + process), this::said);
      assertTrue(said().contains("an agent that is starting"), this::said);
      assertTrue(said().contains("Hint: ask again later"), this::said);
    }
    signals.arrived("TERM");
    goOn(run);
  }

  private int statusOfTheFile(String timeout) {
    return new Program(surroundings())
        .run("status", "--state", "state", "--wait", "--timeout", timeout, "logs/a.log");
  }

  @Test
  void statusThatWaitsForAFileWaitsForTheStart() throws Exception {
    Files.writeString(base.resolve("logs/a.log"), "line\n");
    FutureTask<ExitCode> run = start(Duration.ofHours(1));
    assertEquals(1, statusOfTheFile("100ms"));
    assertTrue(said().contains("an agent that is starting"), this::said);
    FutureTask<Integer> status = new FutureTask<>(() -> statusOfTheFile("60s"));
    Thread.ofPlatform().daemon(true).start(status);
    Thread.sleep(300); // It asks at least once.
    back.countDown();
    assertEquals(0, status.get(PATIENCE_SECONDS, TimeUnit.SECONDS), this::said);
    signals.arrived("TERM");
    assertEquals(ExitCode.DONE, run.get(PATIENCE_SECONDS, TimeUnit.SECONDS), this::said);
  }

  @Test
  void anotherOneIsRefusedBeforeItAsksTheDestination() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofHours(1));
    int exitCode =
        new Program(surroundings()).run("ship", "--once", "--state", "state", "logs", "x");
    assertEquals(1, exitCode, this::said);
    assertTrue(said().contains("another agent uses " + base.resolve("state")), this::said);
    assertFalse(Files.exists(base.resolve("x")), "the destination is not made");
    signals.arrived("TERM");
    goOn(run);
  }
}
