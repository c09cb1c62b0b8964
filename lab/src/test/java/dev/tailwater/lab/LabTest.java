package dev.tailwater.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
  @TempDir private Path directory;

  private final List<String> heard = new ArrayList<>();
  private long nowNanos;

  @FunctionalInterface
  private interface Body {
    Findings run(Laboratory laboratory) throws IOException, InterruptedException;
  }

  private record Named(String name, Optional<String> missing, Body body) implements Experiment {
    @Override
    public Topic topic() {
      return Topic.of(name, "What about " + name + "?");
    }

    @Override
    public Duration expectedTime(Effort effort) {
      return Duration.ofSeconds(10);
    }

    @Override
    public Optional<String> missing(Laboratory laboratory) {
      return missing;
    }

    @Override
    public Findings run(Laboratory laboratory) throws IOException, InterruptedException {
      return body.run(laboratory);
    }
  }

  private static Named named(String name, Body body) {
    return new Named(name, Optional.empty(), body);
  }

  private static Findings found(String text) {
    return new Findings(Map.of(), List.of(), List.of(), List.of(Conclusion.shown(text)), List.of());
  }

  private static Findings foundAfterWriting(Laboratory laboratory) throws IOException {
    Files.createDirectories(laboratory.directory().resolve("a/b"));
    Files.writeString(laboratory.directory().resolve("a/b/c"), "left behind");
    laboratory.progress().at(0.5, "half");
    return found("done");
  }

  private List<ExperimentResult> run(Experiment... experiments)
      throws IOException, InterruptedException {
    LabObserver observer =
        new LabObserver() {
          @Override
          public void at(Experiment experiment, double done, Duration remaining, String doing) {
            heard.add(experiment.name() + " " + done + " " + doing);
          }

          @Override
          public void ended(ExperimentResult result) {
            heard.add(result.name() + " ended");
          }

          @Override
          public void failed(Experiment experiment, Throwable failure) {
            heard.add(experiment.name() + " failed");
          }
        };
    try (LabScratch scratch = LabScratch.in(directory)) {
      return new Lab(LinuxFileCalls.create(), new SplittableRandom(1), observer, () -> nowNanos)
          .run(new LabPlan(Effort.QUICK, List.of(experiments)), scratch);
    }
  }

  @Test
  void aQuickRunOnASlowMachineLeavesOutWhatWouldTakeTooLong() throws Exception {
    List<Experiment> experiments = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      // Each takes four times as long as it expects.
      experiments.add(
          named("number-" + i, laboratory -> foundAfter(Duration.ofSeconds(40), laboratory)));
    }
    List<ExperimentResult> results = run(experiments.toArray(Experiment[]::new));
    assertEquals(12, results.size());
    assertEquals(3, results.stream().filter(ExperimentResult::isMeasured).count());
    assertTrue(
        results.getLast().skipped().orElseThrow().contains("--only number-11"),
        results.getLast().toString());
    assertEquals(Duration.ofMinutes(2).toNanos(), nowNanos);
  }

  @Test
  void anExperimentInAQuickRunEndsBetweenItsSamplesAndSaysSo() throws Exception {
    List<ExperimentResult> results =
        run(
            named("first", laboratory -> rounds(Duration.ofSeconds(3), laboratory)),
            named("second", laboratory -> rounds(Duration.ofSeconds(9), laboratory)),
            named("third", laboratory -> rounds(Duration.ofSeconds(10), laboratory)),
            named("fourth", laboratory -> foundAfterWriting(laboratory)));
    assertEquals(Optional.empty(), results.get(0).leftOut());
    assertEquals(Optional.of("2 of 5 rounds"), results.get(1).leftOut(), "more than its share");
    assertTrue(results.get(1).isMeasured());
    assertEquals(Optional.of("4 of 5 rounds"), results.get(2).leftOut(), "no time for two");
    assertEquals(Optional.of("everything"), results.get(3).leftOut());
    assertTrue(nowNanos <= TimeLimit.QUICK.toNanos() + Duration.ofSeconds(10).toNanos());
  }

  @Test
  void anExperimentThatGetsNoRoundWithinItsTimeIsLeftOut() throws Exception {
    ExperimentResult result =
        run(named("slow", laboratory -> rounds(Duration.ofSeconds(150), laboratory))).getFirst();
    assertFalse(result.isMeasured());
    assertEquals(Optional.empty(), result.failed());
    assertEquals(Optional.of("everything"), result.leftOut());
    assertTrue(result.skipped().orElseThrow().contains("--only slow"), result.toString());
    assertEquals(Duration.ofSeconds(150).toNanos(), nowNanos, "one sample and no more");
  }

  /** Five rounds of two samples of this time. */
  private Findings rounds(Duration sample, Laboratory laboratory)
      throws IOException, InterruptedException {
    Rounds<String> rounds = new Rounds<>();
    for (String variant : List.of("a", "b")) {
      rounds.add(
          variant,
          () -> {
            nowNanos += sample.toNanos();
            return new double[] {1};
          });
    }
    rounds.measure(laboratory, 0, 5);
    return found("done");
  }

  @Test
  void allExperimentsTogetherExpectToBeQuickEnough() {
    List<Experiment> all = Experiments.all();
    Duration sum =
        all.stream().map(e -> e.expectedTime(Effort.QUICK)).reduce(Duration.ZERO, Duration::plus);
    assertTrue(sum.compareTo(TimeLimit.QUICK) <= 0, sum.toString());
  }

  private Findings foundAfter(Duration time, Laboratory laboratory) throws IOException {
    nowNanos += time.toNanos();
    return foundAfterWriting(laboratory);
  }

  private void assertNothingIsLeft() throws IOException {
    try (var left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void oneThatFailsDoesNotStopTheRestAndIsShown() throws Exception {
    List<ExperimentResult> results =
        run(
            named("first", LabTest::foundAfterWriting),
            named(
                "second",
                laboratory -> {
                  foundAfterWriting(laboratory);
                  throw new IOException("no space");
                }),
            named(
                "third",
                laboratory -> {
                  throw new OutOfMemoryError("Direct buffer memory");
                }),
            named("fourth", LabTest::foundAfterWriting));
    assertEquals(List.of("first", "second", "third", "fourth"), names(results));
    assertEquals(Optional.of("IOException: no space"), results.get(1).failed());
    assertEquals(Optional.of("OutOfMemoryError: Direct buffer memory"), results.get(2).failed());
    assertTrue(results.get(0).isMeasured() && results.get(3).isMeasured());
    assertFalse(results.get(1).isMeasured());
    assertTrue(heard.contains("second failed"), heard.toString());
    assertNothingIsLeft();
  }

  /** Results are shown around. */
  @Test
  void resultsDoNotTellWhereItWasMeasured() throws Exception {
    List<ExperimentResult> results =
        run(
            named(
                "fails",
                laboratory -> {
                  throw new IOException("cannot open " + laboratory.directory().resolve("a"));
                }),
            named(
                "finds",
                laboratory ->
                    new Findings(
                        Map.of("place", "on " + laboratory.directory()),
                        List.of(),
                        List.of(),
                        List.of(Conclusion.shown("done")),
                        List.of())));
    assertEquals(Optional.of("IOException: cannot open DIR/a"), results.getFirst().failed());
    assertEquals(Map.of("place", "on DIR"), results.getLast().conditions());
  }

  @Test
  void whatCannotBeRunHereIsSkippedWithTheReason() throws Exception {
    Named missing =
        new Named(
            "root's",
            Optional.of("needs root: run it with sudo"),
            laboratory -> {
              throw new IOException("must not be run");
            });
    ExperimentResult result = run(missing).getFirst();
    assertEquals(Optional.of("needs root: run it with sudo"), result.skipped());
    assertEquals(Optional.empty(), result.failed());
    assertEquals(List.of("root's 0.0 beginning", "root's ended"), heard);
  }

  @Test
  void tellsHowFarTheWholeRunIs() throws Exception {
    run(named("a", LabTest::foundAfterWriting), named("b", LabTest::foundAfterWriting));
    assertEquals(
        List.of(
            "a 0.0 beginning",
            "a 0.25 half",
            "a ended",
            "b 0.5 beginning",
            "b 0.75 half",
            "b ended"),
        heard);
  }

  @Test
  void eachBeginsInAnEmptyDirectory() throws Exception {
    Body looks =
        laboratory -> {
          try (var there = Files.list(laboratory.directory())) {
            assertEquals(0, there.count());
          }
          return foundAfterWriting(laboratory);
        };
    List<ExperimentResult> results = run(named("a", looks), named("b", looks));
    assertTrue(results.stream().allMatch(ExperimentResult::isMeasured), results.toString());
  }

  @Test
  void anInterruptEndsAllOfItAndLeavesNothing() throws Exception {
    Named interrupted =
        named(
            "interrupted",
            laboratory -> {
              foundAfterWriting(laboratory);
              Thread.currentThread().interrupt();
              // Channels that are interrupted throw an exception of their own.
              throw new java.nio.channels.ClosedByInterruptException();
            });
    Named after = named("after", LabTest::foundAfterWriting);
    assertThrows(InterruptedException.class, () -> run(interrupted, after));
    assertFalse(heard.stream().anyMatch(line -> line.startsWith("after")), heard.toString());
    assertNothingIsLeft();
  }

  @Test
  void theRestIsReckonedFromWhatWasExpectedAndThenFromWhatWasNeeded() {
    RemainingTime time =
        new RemainingTime(
            List.of(named("a", LabTest::foundAfterWriting), named("b", LabTest::foundAfterWriting)),
            Effort.QUICK);
    assertEquals(Duration.ofSeconds(20), time.after(0, 0, Duration.ZERO));
    assertEquals(Duration.ofSeconds(18), time.after(0, 0.05, Duration.ofSeconds(2)));
    assertEquals(Duration.ofSeconds(40), time.after(0, 0.5, Duration.ofSeconds(30)));
    assertEquals(Duration.ofSeconds(10), time.after(0, 0, Duration.ofSeconds(30)));
    assertEquals(Duration.ZERO, time.after(1, 1, Duration.ofSeconds(7)));
    assertEquals(0.75, time.share(1, 0.5));
  }

  private static List<String> names(List<ExperimentResult> results) {
    return results.stream().map(ExperimentResult::name).toList();
  }
}
