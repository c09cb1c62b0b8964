package dev.tailwater.lab.compare;

import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A comparison of two results.
 *
 * @param runs what differs between the runs themselves: version, effort, when
 * @param host what differs between the hosts
 */
public record LabComparison(
    Names names, List<Pair> runs, List<Pair> host, List<ComparedExperiment> experiments) {

  /** Compares two results by the names of experiments, tables, parameters and quantities. */
  public static LabComparison of(LabResult first, LabResult second, Names names) {
    List<ComparedExperiment> experiments = new ArrayList<>();
    for (ExperimentResult experiment : first.experiments()) {
      Optional<ExperimentResult> other = named(second, experiment.name());
      experiments.add(
          other.isPresent()
              ? ComparedExperiment.of(experiment, other.get(), names)
              : ComparedExperiment.alone(experiment, names.second()));
    }
    for (ExperimentResult experiment : second.experiments()) {
      if (named(first, experiment.name()).isEmpty()) {
        experiments.add(ComparedExperiment.alone(experiment, names.first()));
      }
    }
    return new LabComparison(
        names,
        Differences.of(run(first), run(second)),
        Differences.of(facts(first.host()), facts(second.host())),
        experiments);
  }

  private static Optional<ExperimentResult> named(LabResult result, String name) {
    return result.experiments().stream().filter(e -> e.name().equals(name)).findFirst();
  }

  private static Map<String, String> run(LabResult result) {
    Map<String, String> run = new LinkedHashMap<>();
    run.put("effort", result.effort());
    run.put("Tailwater", result.version());
    run.put("started", result.startedAt());
    return run;
  }

  private static Map<String, String> facts(HostFacts host) {
    Map<String, String> facts = new LinkedHashMap<>();
    host.facts().forEach(fact -> facts.put(fact.name(), fact.value()));
    return facts;
  }
}
