package dev.tailwater.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.plot.PlotData.Point;
import dev.tailwater.lab.report.ResultFile;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.Interval;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The answers at a glance, of the real figures in docs/lab/example. */
class HeadlinesTest {
  private final LabResult example;

  HeadlinesTest() throws IOException {
    this.example = ResultFile.read(Path.of("..", "docs", "lab", "example", "lab.json"));
  }

  private ExperimentResult result(String name) {
    return example.experiments().stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Headline headline(String name) {
    return Headlines.of(result(name)).orElseThrow();
  }

  private static List<Point> points(Headline headline) {
    return headline.plot().lines().stream().flatMap(line -> line.points().stream()).toList();
  }

  @Test
  void everyExperimentHasAnAnswerOfItsOwnWithTheArticlesFiguresBesideOurs() {
    for (Experiment experiment : Experiments.all()) {
      Optional<Headline> own = experiment.headline(result(experiment.name()).tables());
      assertTrue(own.isPresent(), experiment.name());
      assertFalse(points(own.get()).isEmpty(), experiment.name());
      assertTrue(own.get().verdict().text().endsWith("."), own.get().verdict().text());
      if (experiment.topic().article().isPresent()) {
        assertFalse(own.get().article().isEmpty(), experiment.name());
        assertTrue(
            points(own.get()).stream().anyMatch(point -> point.article().isPresent()),
            experiment.name());
      }
    }
  }

  @Test
  void anAnswerIsComputedFromTheFigures() {
    assertEquals(
        "Yes: chunks of 6144 bytes have 0.126 × the throughput of chunks of 8192 (248 against 1972"
            + " MB/s), and make the kernel read 341 KiB of each MiB first.",
        headline("write-size-block").verdict().text());
    assertEquals(Certainty.SHOWN, headline("write-size-block").verdict().certainty());
    assertEquals(
        "Best for 8 MiB that are cached: mmap kept, streaming copy (9017 MB/s), 2.37 × InputStream"
            + " (3806).",
        headline("read-path").verdict().text());
    assertEquals(Certainty.TOO_NOISY, headline("copy").verdict().certainty());
  }

  @Test
  void theArticlesRangesStayRanges() {
    List<Interval> ranges =
        points(headline("copy")).stream().flatMap(point -> point.article().stream()).toList();
    assertTrue(ranges.contains(new Interval(1.1, 1.15)), ranges.toString());
    assertTrue(ranges.contains(new Interval(1.6, 1.9)), ranges.toString());
  }

  @Test
  void tablesOfAnotherShapeGiveTheFirstPlotAndConclusion() {
    ExperimentResult sample = Samples.measured("write-size-block", 1);
    Headline first = Headlines.of(sample).orElseThrow();
    assertEquals("Time by chunk size", first.plot().title());
    assertEquals("8 KiB takes 0.05 of the time of 6 KiB.", first.verdict().text());
    for (ExperimentResult result : example.experiments()) {
      List<ResultTable> others =
          result.tables().stream().map(HeadlinesTest::withoutParameters).toList();
      ExperimentResult changed =
          new ExperimentResult(
              result.name(),
              result.question(),
              result.article(),
              result.skipped(),
              result.failed(),
              result.leftOut(),
              result.conditions(),
              others,
              List.of(),
              result.conclusions(),
              result.recommendations(),
              1);
      assertEquals(Optional.empty(), Headlines.of(changed), result.name());
    }
  }

  private static ResultTable withoutParameters(ResultTable table) {
    return new ResultTable(
        table.title(),
        List.of(),
        table.quantities(),
        table.rows().stream()
            .map(row -> new ResultTable.Row(List.of(), row.measured(), row.article()))
            .toList());
  }
}
