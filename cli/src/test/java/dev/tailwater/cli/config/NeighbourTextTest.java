package dev.tailwater.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.neighbour.PressureLimits;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done for neighbours, on the command line and in the file. */
class NeighbourTextTest {
  private static final String REST = "sources: [/var/log]\ndestination: /mnt/archive\n";

  private static NeighbourSettings onCommandLine(String text) {
    return new ShipSettings.Builder().set(ShipKey.NEIGHBOUR, text).build().neighbour();
  }

  private static ConfigFile.Result file(String text) {
    return ConfigFile.read(REST + text, Path.of("/etc"));
  }

  private static NeighbourSettings inFile(String text) {
    ConfigFile.Result result = file(text);
    assertEquals(List.of(), result.problems());
    return result.settings().build().neighbour();
  }

  private static String problem(String text) {
    List<ConfigProblem> problems = file(text).problems();
    assertEquals(1, problems.size(), problems.toString());
    return problems.getFirst().at("f") + problems.getFirst().hint().map(h -> " " + h).orElse("");
  }

  private static final NeighbourSettings ALL =
      new NeighbourSettings(
          5,
          SchedulingPolicy.IDLE,
          IoPriority.IDLE,
          OptionalDouble.of(0.5),
          Optional.of(new PressureLimits(0.4, PressureLimits.NEVER, 0.1)));

  @Test
  void bothSayTheSame() {
    assertEquals(
        ALL,
        onCommandLine(
            "nice=5,scheduling=idle, io-priority=idle,cpu_limit=50%,pressure=cpu:40%+io:off"));
    assertEquals(
        ALL,
        inFile(
            """
            neighbour:
              nice: 5
              scheduling: idle
              io_priority: idle
              cpu_limit: 0.5
              pressure: {cpu: 40%, io: off}
            """));
  }

  @Test
  void whatIsNotSaidStaysAsItWas() {
    assertEquals(NeighbourSettings.STANDARD, inFile(""));
    assertEquals(NeighbourSettings.STANDARD, inFile("neighbour: {}\n"));
    assertEquals(10, onCommandLine("cpu-limit=150%").nice());
    assertEquals(OptionalDouble.of(1.5), onCommandLine("cpu-limit=150%").cpuLimit());
    assertEquals(NeighbourSettings.OFF, inFile("neighbour: off\n"));
    assertEquals(NeighbourSettings.OFF, onCommandLine("off"));
    assertEquals(Optional.empty(), inFile("neighbour: {pressure: off}\n").pressure());
    assertEquals(
        IoPriority.bestEffort(3), inFile("neighbour: {io_priority: best-effort:3}\n").ioPriority());
    assertEquals(IoPriority.NONE, onCommandLine("io-priority=none").ioPriority());
    ShipSettings.Builder both = file("neighbour: {nice: 7, cpu_limit: 20%}\n").settings();
    NeighbourSettings merged = both.set(ShipKey.NEIGHBOUR, "nice=3").build().neighbour();
    assertEquals(3, merged.nice());
    assertEquals(OptionalDouble.of(0.2), merged.cpuLimit());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nice=20|nice level from 0 to 19",
        "nice=-1|nice level from 0 to 19",
        "scheduling=fifo|normal, batch or idle",
        "io-priority=best-effort:8|best-effort:0 to best-effort:7",
        "cpu-limit=0%|at least 1%",
        "cpu-limit=half|at least 1%",
        "cpu-limit=0.001|at least 1%",
        "pressure=maybe|on, off, or limits",
        "pressure=disk:20%|cpu, io or memory",
        "pressure=cpu:120%|at most 100%",
        "pressure=cpu:0%|more than 0%",
        "nicce=3|did you mean 'nice'?",
        "polite|expected off, or settings",
        "nice=1,|expected off, or settings",
      })
  void saysWhatIsExpected(String text, String expected) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> onCommandLine(text)).getMessage());
    assertTrue(message.contains(expected), message);
  }

  @Test
  void inTheFileProblemsHaveTheirPlace() {
    assertEquals(
        "f:4:9: neighbour.nice: expected a nice level from 0 to 19, not '30'",
        problem("neighbour:\n  nice: 30\n"));
    assertEquals(
        "f:3:13: unknown key 'nicce' did you mean 'nice'?", problem("neighbour: {nicce: 3}\n"));
    assertTrue(problem("neighbour: {pressure: {disk: 3%}}\n").startsWith("f:3:24: unknown key"));
    assertTrue(
        problem("neighbour: {pressure: {io: 3}}\n")
            .startsWith("f:3:28: neighbour.pressure.io: expected a part of the time"));
    assertTrue(problem("neighbour: [3]\n").contains("expected one value"));
  }
}
