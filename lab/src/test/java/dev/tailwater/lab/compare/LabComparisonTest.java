package dev.tailwater.lab.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.Samples;
import dev.tailwater.lab.report.ComparePage;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.ResultTable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabComparisonTest {
  private static final Names NAMES = new Names("a.json", "b.json");

  private static LabResult result(String kernel, ExperimentResult... experiments) {
    return new LabResult(
        LabResult.FORMAT,
        "0.1.0",
        "2026-11-22T18:00:00Z",
        "quick",
        new HostFacts(
            List.of(new HostFacts.Fact("kernel", kernel), new HostFacts.Fact("swap", "0"))),
        List.of(experiments));
  }

  private static ExperimentResult with(
      ExperimentResult one, Map<String, String> conditions, List<ResultTable> tables) {
    return new ExperimentResult(
        one.name(),
        one.question(),
        one.article(),
        one.skipped(),
        one.failed(),
        one.leftOut(),
        conditions,
        tables,
        List.of(),
        one.conclusions(),
        one.recommendations(),
        one.elapsedMillis());
  }

  private static ComparedExperiment only(LabComparison comparison) {
    assertEquals(1, comparison.experiments().size());
    return comparison.experiments().getFirst();
  }

  @Test
  void reckonsRatiosAndHowCertainTheyAre() {
    LabComparison comparison =
        LabComparison.of(
            result("Linux 6", Samples.measured("x", 1)),
            result("Linux 7", Samples.measured("x", 2)),
            NAMES);
    assertEquals(List.of(new Pair("kernel", "Linux 6", "Linux 7")), comparison.host());
    assertEquals(List.of(), comparison.runs());
    ComparedTable table = only(comparison).tables().getFirst();
    assertEquals(12, table.rows().size());
    ComparedRow time = table.rows().getFirst();
    assertEquals("time", time.quantity().name());
    assertEquals(2, time.comparison().ratio(), 1e-9);
    assertEquals(Certainty.SHOWN, time.comparison().certainty());
    ComparedRow counted = table.rows().get(3);
    assertEquals(Certainty.NO_DIFFERENCE, counted.comparison().certainty());
    assertTrue(counted.hasRatio());
    assertFalse(table.rows().get(1).hasRatio(), "there is no ratio to zero");
  }

  @Test
  void whatOverlapsIsNotCalledADifference() {
    LabComparison comparison =
        LabComparison.of(
            result("k", Samples.measured("x", 1)), result("k", Samples.measured("x", 1.05)), NAMES);
    ComparedRow time = only(comparison).tables().getFirst().rows().getFirst();
    assertEquals(Certainty.TOO_NOISY, time.comparison().certainty());
    assertEquals(List.of(), comparison.host());
  }

  @Test
  void differentConditionsAreSaid() {
    ExperimentResult one = Samples.measured("x", 1);
    ExperimentResult other = with(one, Map.of("file size", "1 MiB"), one.tables());
    ComparedExperiment compared =
        only(LabComparison.of(result("k", one), result("k", other), NAMES));
    assertEquals(
        List.of(new Pair("file size", "128 MiB", "1 MiB"), new Pair("block size", "4 KiB", "")),
        compared.conditions());
  }

  @Test
  void rowsWithOtherParametersAreNeverMixedUp() throws IOException {
    ExperimentResult one = Samples.measured("x", 1);
    ResultTable table = one.tables().getFirst();
    ResultTable turned =
        new ResultTable(table.title(), List.of("way", "chunk"), table.quantities(), table.rows());
    ComparedExperiment compared =
        only(
            LabComparison.of(
                result("k", one), result("k", with(one, Map.of(), List.of(turned))), NAMES));
    assertEquals(List.of(), compared.tables());
    assertEquals(List.of(), compared.plots());
    assertEquals(List.of("'time to write 128 MiB' has no like in b.json"), compared.remarks());
  }

  @Test
  void rowsThatOneLacksAreCounted() {
    ExperimentResult one = Samples.measured("x", 1);
    ResultTable table = one.tables().getFirst();
    ResultTable fewer =
        new ResultTable(
            table.title(), table.parameters(), table.quantities(), table.rows().subList(0, 4));
    ComparedExperiment compared =
        only(
            LabComparison.of(
                result("k", with(one, one.conditions(), List.of(fewer))), result("k", one), NAMES));
    assertEquals(8, compared.tables().getFirst().rows().size());
    assertEquals(
        List.of("of the rows of 'time to write 128 MiB' 2 only in b.json"), compared.remarks());
  }

  @Test
  void whatOnlyOneHasOrOneSkippedIsSaid() {
    LabResult all = Samples.result();
    LabComparison comparison =
        LabComparison.of(all, result("k", Samples.measured("new", 1)), NAMES);
    assertEquals(
        List.of("write-size", "read-path", "destination", "copy", "new"),
        comparison.experiments().stream().map(ComparedExperiment::name).toList());
    assertEquals(List.of("not in b.json"), comparison.experiments().getFirst().remarks());
    assertEquals(List.of("not in a.json"), comparison.experiments().getLast().remarks());
    ComparedExperiment skipped = LabComparison.of(all, all, NAMES).experiments().get(2);
    assertEquals(
        List.of(
            "skipped in a.json: no --destination was given",
            "skipped in b.json: no --destination was given"),
        skipped.remarks());
  }

  @Test
  void aPlotShowsBothAndThePageEscapesAll() throws IOException {
    LabComparison comparison =
        LabComparison.of(
            Samples.result(), Samples.result(), new Names("a" + Samples.HOSTILE, "b.json"));
    assertEquals(
        4, comparison.experiments().getFirst().plots().getFirst().lines().size(), "two of each");
    String page = ComparePage.html(comparison);
    assertFalse(page.contains("<script"), page);
    assertFalse(page.contains("<img"), page);
    assertTrue(page.contains("cold, b.json"), page);
    assertTrue(page.contains("<meta name=\"generator\" content=\"tailwater lab\">"), page);
  }
}
