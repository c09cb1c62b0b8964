package dev.tailwater.lab.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.lab.Experiments;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LabProgressTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);

  @Test
  void withoutATerminalItIsToldAgainAndAgain() throws Exception {
    Surroundings surroundings =
        new Surroundings(stream, stream, Map.of(), Path.of("/"), OptionalInt.empty());
    try (LabBar bar = new LabBar(surroundings, Duration.ofMillis(5))) {
      bar.at(Experiments.all().getFirst(), 0.25, Duration.ofSeconds(90), "round 1 of 7");
      long giveUp = System.nanoTime() + PATIENCE.toNanos();
      while (text().lines().filter(line -> line.contains("25 % done")).count() < 3) {
        assertTrue(System.nanoTime() < giveUp, text());
        Thread.sleep(5);
      }
    }
    assertTrue(text().contains("round 1 of 7"), text());
  }

  @Test
  void theReportOfABusyMachineBeginsWithThat() {
    HostFacts busy =
        new HostFacts(List.of(new HostFacts.Fact(HostFacts.BUSY, "load average 26.0")));
    LabPrinter.results(new LabResult(1, "0", "now", "quick", busy, List.of()), stream);
    assertTrue(text().startsWith("This machine was busy: load average 26.0."), text());
    assertTrue(text().contains("tentative"), text());
  }

  private String text() {
    return said.toString(StandardCharsets.UTF_8);
  }
}
