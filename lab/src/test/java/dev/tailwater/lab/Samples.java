package dev.tailwater.lab;

import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Invented results, as the lab makes them. */
public final class Samples {
  /** What a page must show as text and never obey. */
  public static final String HOSTILE =
      "</script><script>alert(1)</script>\"'&{{x}}<img src=x onerror=alert(2)>";

  private Samples() {}

  /** A result with one experiment of each kind. */
  public static LabResult result() {
    return new LabResult(
        LabResult.FORMAT,
        "0.1.0",
        "2026-11-22T18:00:00Z",
        "quick",
        new HostFacts(
            List.of(
                new HostFacts.Fact("kernel", "Linux 6.18.5"),
                new HostFacts.Fact("file system", "ext4"),
                new HostFacts.Fact("mount options", "rw,relatime" + ",x=y".repeat(40)))),
        List.of(
            measured("write-size", 1),
            kinds(),
            ended("destination", Optional.of("no --destination was given"), Optional.empty()),
            ended("copy", Optional.empty(), Optional.of("IOException: " + HOSTILE))));
  }

  /** Times by chunk and way, all of them times a factor. */
  public static ExperimentResult measured(String name, double factor) {
    ResultTable table =
        new ResultTable(
            "time to write 128 MiB",
            List.of("chunk", "way"),
            List.of(Quantity.less("time", "ms"), new Quantity("reads", "requests", NONE)),
            List.of(
                row(List.of("4 KiB", "cold"), factor, 104, 0, 104),
                row(List.of("6 KiB", "cold"), factor, 1646, 32768, 1646),
                row(List.of("8 KiB", "cold"), factor, 83, 0, 59),
                row(List.of("4 KiB", "warm"), factor, 53, 0, Double.NaN),
                row(List.of("6 KiB", "warm"), factor, 51, 0, Double.NaN),
                row(List.of("8 KiB", "warm"), factor, 41, 0, Double.NaN)));
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("file size", "128 MiB");
    conditions.put("block size", "4 KiB");
    return new ExperimentResult(
        name,
        "Which chunk size does <this> file system want?",
        Optional.of("001"),
        Optional.empty(),
        Optional.empty(),
        Optional.of("2 of 5 rounds"),
        conditions,
        List.of(table),
        List.of(
            new Plot(
                "Time by chunk size",
                table.title(),
                "time",
                "chunk",
                "way",
                Map.of(),
                Plot.Shape.LINES,
                true)),
        List.of(
            Conclusion.shown("8 KiB takes 0.05 of the time of 6 KiB."),
            new Conclusion(Conclusion.Certainty.TOO_NOISY, "4 KiB and 8 KiB cannot be told apart."),
            new Conclusion(Conclusion.Certainty.NO_DIFFERENCE, "Warm, none reads.")),
        List.of(
            new Recommendation(
                Recommendation.Place.CONFIGURATION,
                "segment_size",
                "4MiB",
                "4MiB takes 41 ms where 8MiB takes 83 ms, which is more than this line can hold if"
                    + " it goes on and on."),
            new Recommendation(
                Recommendation.Place.HOST, "fs.inotify.max_user_watches", "1048576", "A reason."),
            new Recommendation(
                Recommendation.Place.PROGRAM, "write size", "8 KiB", "Whole blocks are not read.")),
        8123);
  }

  private static final Quantity.Better NONE = Quantity.Better.NONE;

  private static ExperimentResult kinds() {
    ResultTable table =
        new ResultTable(
            "reads per second",
            List.of("way"),
            List.of(Quantity.more("reads", "1/s")),
            List.of(
                kind("stream", 22), kind("heap buffer of the JDK", 142), kind("critical", 363)));
    return new ExperimentResult(
        "read-path",
        "Which way of reading is fastest?",
        Optional.of("004"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(table),
        List.of(
            new Plot("Reads", table.title(), "reads", "way", "", Map.of(), Plot.Shape.BARS, false)),
        List.of(Conclusion.shown("critical is 2.6 times as fast.")),
        List.of(),
        300);
  }

  private static ExperimentResult ended(
      String name, Optional<String> skipped, Optional<String> failed) {
    return new ExperimentResult(
        name,
        "What about " + name + "?",
        Optional.empty(),
        skipped,
        failed,
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        5);
  }

  private static ResultTable.Row kind(String way, double perSecond) {
    return new ResultTable.Row(
        List.of(way),
        List.of(Optional.of(series(perSecond))),
        List.of(OptionalDouble.of(perSecond * 0.9)));
  }

  private static ResultTable.Row row(
      List<String> parameters, double factor, double millis, double reads, double article) {
    return new ResultTable.Row(
        parameters,
        List.of(Optional.of(series(millis * factor)), Optional.of(Series.of(reads))),
        List.of(
            Double.isNaN(article) ? OptionalDouble.empty() : OptionalDouble.of(article),
            OptionalDouble.empty()));
  }

  private static Series series(double middle) {
    return new Series(
        List.of(middle, middle * 0.93, middle * 1.11, middle * 1.02, middle * 0.99, middle * 1.3));
  }
}
