package dev.tailwater.cli.probe;

import java.net.URI;
import java.util.List;

/**
 * The findings of a probe.
 *
 * @param destination without secrets
 * @param reached whether the destination did anything that it was asked
 * @param appendOnly whether it was tested only that objects can be created and nothing else
 * @param advice what follows for the user's settings, a sentence each
 */
public record ProbeReport(
    URI destination,
    boolean reached,
    boolean appendOnly,
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

  /** Returns the words after the destination's name. */
  String words() {
    if (!appendOnly) {
      return fitness().words();
    }
    return switch (fitness()) {
      case FIT -> "takes new objects, which these credentials can neither replace nor remove";
      case LIMITED ->
          "takes new objects; whether these credentials can replace or remove them is not known:"
              + " see above";
      case UNFIT -> "is not append-only with these credentials: see above";
      case UNREACHABLE -> fitness().words();
    };
  }
}
