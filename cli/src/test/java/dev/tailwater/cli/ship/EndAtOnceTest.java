package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class EndAtOnceTest {
  private static final long PATIENCE_SECONDS = 60;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final StopSignals signals = new StopSignals();
  private final CompletableFuture<Integer> halted = new CompletableFuture<>();

  private EndAtOnce atOnce(LongSupplier atRiskBytes) {
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            Path.of("/"),
            OptionalInt.empty());
    return new EndAtOnce(signals, atRiskBytes, surroundings, halted::complete);
  }

  private int exitCodeAfterTwoSignals(EndAtOnce atOnce) throws Exception {
    atOnce.begin();
    signals.arrived();
    signals.arrived();
    return halted.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static DrainReport report(List<Problem> problems) {
    return new DrainReport(0, 0, Duration.ZERO, List.of(), problems, List.of(), true, List.of());
  }

  @Test
  void nothingAtRiskAtTheLastLookIsNotEverythingDelivered() throws Exception {
    assertEquals(3, exitCodeAfterTwoSignals(atOnce(() -> 0)));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("0 bytes were not"), err::toString);
  }

  @Test
  void aCompleteDrainIsEverythingDelivered() throws Exception {
    EndAtOnce atOnce = atOnce(() -> 7);
    atOnce.drained(report(List.of()));
    assertEquals(0, exitCodeAfterTwoSignals(atOnce));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("everything is"), err::toString);
  }

  @Test
  void aDrainThatCouldNotOpenAFileIsNotComplete() throws Exception {
    EndAtOnce atOnce = atOnce(() -> 0);
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
    assertEquals(3, exitCodeAfterTwoSignals(atOnce));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("not everything"), err::toString);
  }

  @Test
  void theProcessEndsThoughTheAgentCannotSayWhatIsAtRisk() throws Exception {
    EndAtOnce atOnce =
        atOnce(
            () -> {
              throw new IllegalStateException("a fault of the survey");
            });
    assertEquals(3, exitCodeAfterTwoSignals(atOnce));
    assertTrue(
        err.toString(StandardCharsets.UTF_8).contains("a fault of the survey"), err::toString);
  }
}
