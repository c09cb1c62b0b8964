package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.watch.Losses;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ForcedExitTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration LATER = Duration.ofHours(1);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong laterNanos = new AtomicLong();
  private final StopSignals signals = new StopSignals(() -> System.nanoTime() + laterNanos.get());
  private final CompletableFuture<Integer> halted = new CompletableFuture<>();

  private ForcedExit starting(Duration drainDeadline) {
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            Path.of("/"),
            OptionalInt.empty());
    return ForcedExit.begin(signals, drainDeadline, surroundings, halted::complete);
  }

  private ForcedExit running(Supplier<OptionalLong> atRiskBytes) {
    ForcedExit atOnce = starting(LATER);
    atOnce.started(atRiskBytes);
    return atOnce;
  }

  private int exitCode() throws Exception {
    return halted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private int exitCodeAfterTwoSignals() throws Exception {
    signals.arrived("TERM");
    laterNanos.set(StopSignals.SAME.toNanos());
    signals.arrived("TERM");
    return exitCode();
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static DrainReport report(List<Problem> problems) {
    return new DrainReport(
        new DrainReport.Totals(0, 0, Duration.ZERO),
        true,
        List.of(),
        problems,
        List.of(),
        List.of(),
        Losses.Report.NONE);
  }

  @Test
  void nothingAtRiskAtTheLastLookIsNotEverythingDelivered() throws Exception {
    try (ForcedExit atOnce = running(() -> OptionalLong.of(0))) {
      assertEquals(3, exitCodeAfterTwoSignals(), atOnce::toString);
      assertTrue(said().contains("0 bytes were not"), this::said);
    }
  }

  @Test
  void aCompleteDrainIsEverythingDelivered() throws Exception {
    try (ForcedExit atOnce = running(() -> OptionalLong.of(7))) {
      atOnce.drained(report(List.of()));
      assertEquals(0, exitCodeAfterTwoSignals());
      assertTrue(said().contains("everything is"), this::said);
    }
  }

  @Test
  void aDrainThatCouldNotOpenAFileIsNotComplete() throws Exception {
    try (ForcedExit atOnce = running(() -> OptionalLong.of(0))) {
      atOnce.drained(
          report(
              List.of(
                  new Problem(
                      Optional.empty(),
                      "a.log",
                      "cannot be opened",
                      Optional.empty(),
                      false,
                      true,
                      1,
                      0))));
      assertEquals(3, exitCodeAfterTwoSignals());
      assertTrue(said().contains("not everything"), this::said);
    }
  }

  @Test
  void theProcessEndsThoughTheAgentCannotSayWhatIsAtRisk() throws Exception {
    Supplier<OptionalLong> faulty =
        () -> {
          throw new IllegalStateException("a fault of the survey");
        };
    try (ForcedExit atOnce = running(faulty)) {
      assertEquals(3, exitCodeAfterTwoSignals(), atOnce::toString);
      assertTrue(said().contains("a fault of the survey"), this::said);
    }
  }

  @Test
  void aSecondSignalEndsAStartThatHangs() throws Exception {
    try (ForcedExit atOnce = starting(LATER)) {
      assertEquals(3, exitCodeAfterTwoSignals(), atOnce::toString);
      assertTrue(said().contains("nothing was delivered in this run"), this::said);
    }
  }

  @Test
  void aFirstSignalEndsAStartThatHangsUntilTheDeadline() throws Exception {
    try (ForcedExit atOnce = starting(Duration.ofMillis(50))) {
      signals.arrived("TERM");
      assertEquals(3, exitCode(), atOnce::toString);
      assertTrue(said().contains("nothing was delivered in this run"), this::said);
    }
  }

  @Test
  void anAgentThatHasNotEndedByTheDeadlineOfAFirstSignalIsEnded() throws Exception {
    try (ForcedExit atOnce = starting(Duration.ZERO)) {
      atOnce.started(() -> OptionalLong.of(5));
      signals.arrived("TERM");
      assertEquals(3, exitCode());
      assertTrue(said().contains("stopped at the deadline, 5 bytes were not"), this::said);
      assertFalse(said().contains("start has not ended"), this::said);
    }
  }

  @Test
  void whatNobodyHasLookedAtIsNotSaidToBeNothing() throws Exception {
    try (ForcedExit atOnce = running(OptionalLong::empty)) {
      assertEquals(3, exitCodeAfterTwoSignals(), atOnce::toString);
      assertTrue(said().contains("stopped at once, what is not delivered is not"), this::said);
    }
  }
}
