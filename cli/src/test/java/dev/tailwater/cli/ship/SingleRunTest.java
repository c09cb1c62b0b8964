package dev.tailwater.cli.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.rehearse.OutageDestination;
import dev.tailwater.cli.value.Durations;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that ends by itself, and what a signal makes of it while the destination is away. */
class SingleRunTest {
  private static final long PATIENCE_SECONDS = 50;

  /** An outage while this exists. What a run leaves to the end of the process must not succeed. */
  private static final Path ALWAYS_THERE = Path.of("/");

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong laterNanos = new AtomicLong();
  private final StopSignals signals = new StopSignals(() -> System.nanoTime() + laterNanos.get());
  private final CompletableFuture<Integer> halted = new CompletableFuture<>();
  private Path base;
  private Path cut;

  @BeforeEach
  void makePlaces(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    Files.createDirectories(base.resolve("logs"));
    Files.createDirectories(base.resolve("archive"));
    Files.writeString(base.resolve("logs/a.log"), "line\n");
    cut = Files.createFile(base.resolve("cut"));
  }

  private FutureTask<ExitCode> start(Duration drainDeadline, Path outage) {
    ShipPlan plan =
        TestPlan.of(
            base,
            base.resolve("archive").toUri(),
            new ShipSettings.Builder()
                .set(ShipKey.DRAIN_DEADLINE, Durations.format(drainDeadline))
                .build());
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            base,
            OptionalInt.empty());
    AgentProcess process =
        new AgentProcess(
            plan, surroundings, one -> new OutageDestination(one, outage), halted::complete);
    FutureTask<ExitCode> run = new FutureTask<>(() -> process.once(signals));
    Thread.ofPlatform().daemon(true).start(run);
    return run;
  }

  private ExitCode end(FutureTask<ExitCode> run) throws Exception {
    return run.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private String said() {
    return err.toString(UTF_8);
  }

  private void awaitTheFirstProblem() throws Exception {
    while (!said().contains("problem")) {
      Thread.sleep(10);
    }
  }

  @Test
  void aSignalHasItReportWhatIsLeftAtTheDeadline() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofSeconds(10), ALWAYS_THERE);
    awaitTheFirstProblem();
    signals.arrived("TERM");
    assertEquals(ExitCode.PARTIAL, end(run), this::said);
    assertTrue(said().contains("stopping, at most 10 s"), this::said);
    assertTrue(said().contains("5 B left behind"), this::said);
    // On a busy machine it is ended before it ends by itself, and says the same.
    assertEquals(ExitCode.PARTIAL.number(), halted.getNow(ExitCode.PARTIAL.number()), this::said);
  }

  @Test
  void whatCanBeDeliveredAfterASignalIsDelivered() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofHours(1), cut);
    awaitTheFirstProblem();
    signals.arrived("INT");
    Files.delete(cut);
    assertEquals(ExitCode.DONE, end(run), this::said);
    assertTrue(said().contains("nothing is left"), this::said);
  }

  @Test
  void aSecondSignalEndsItAtOnce() throws Exception {
    FutureTask<ExitCode> run = start(Duration.ofHours(1), cut);
    awaitTheFirstProblem();
    signals.arrived("TERM");
    laterNanos.set(StopSignals.SAME.toNanos());
    signals.arrived("TERM");
    assertEquals(3, halted.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertTrue(said().contains("stopped at once, 5 bytes were not delivered"), this::said);
    Files.delete(cut);
    end(run); // What a process does that was not halted, as here.
  }
}
