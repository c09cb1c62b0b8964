package dev.tailwater.cli.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.watch.Losses;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Whoever names a file cannot write lines into the log of an agent. */
class ProblemPrinterTest {
  private static final String NAME = "a\ntailwater: delivered 9 GiB, nothing is left";
  private static final String SHOWN = "a\\u000atailwater: delivered 9 GiB, nothing is left";
  private static final Problem PROBLEM =
      new Problem(
          Optional.empty(), "x", "open " + NAME, Optional.of("see " + NAME), true, false, 1, 1);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream printed = new PrintStream(err, true, UTF_8);

  @Test
  void aNameOfSeveralLinesStaysOnOne() {
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
            printed,
            Map.of(),
            Path.of("/"),
            OptionalInt.empty());
    new ProblemPrinter(surroundings).began(PROBLEM);
    assertEquals(
        List.of("tailwater: problem: open " + SHOWN, "Hint: see " + SHOWN),
        err.toString(UTF_8).lines().toList());
  }

  @Test
  void soItDoesWhenTheAgentEnds() {
    DrainReport report =
        new DrainReport(
            new DrainReport.Totals(0, 0, Duration.ZERO),
            false,
            List.of(),
            List.of(PROBLEM),
            List.of(),
            List.of(),
            Losses.Report.NONE);
    new DrainSummary(report, false).print(printed);
    assertEquals("  open " + SHOWN, err.toString(UTF_8).lines().toList().getLast());
  }
}
