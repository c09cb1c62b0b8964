package dev.tailwater.cli.probe;

import java.net.URI;
import java.util.List;

/**
 * The findings of a probe.
 *
 * @param destination without secrets
 * @param reached whether the destination did anything that it was asked
 * @param advice what follows for the user's settings, a sentence each
 */
public record ProbeReport(
    URI destination,
    boolean reached,
    List<Finding> findings,
    List<Timing> timings,
    List<Throughput> throughputs,
    List<String> advice) {
  public ProbeReport {
    findings = List.copyOf(findings);
    timings = List.copyOf(timings);
    throughputs = List.copyOf(throughputs);
    advice = List.copyOf(advice);
  }

  /** Returns what the destination is fit for. */
  public Fitness fitness() {
    if (!reached) {
      return Fitness.UNREACHABLE;
    }
    List<Finding> problems =
        findings.stream().filter(finding -> finding.verdict().isProblem()).toList();
    if (problems.isEmpty()) {
      return Fitness.FIT;
    }
    boolean loses =
        problems.stream()
            .filter(Finding::vital)
            .anyMatch(f -> f.verdict() != Verdict.UNKNOWN || f.step() == Step.PERMISSION);
    return loses ? Fitness.UNFIT : Fitness.LIMITED;
  }
}
