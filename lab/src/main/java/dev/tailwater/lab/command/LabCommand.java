package dev.tailwater.lab.command;

import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.Version;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.plugin.CommandPackage;
import dev.tailwater.cli.probe.UriTarget;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.lab.Experiments;
import dev.tailwater.lab.LabPlan;
import dev.tailwater.lab.destination.DestinationExperiment;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.host.Host;
import dev.tailwater.lab.host.OtherPrograms;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.lab.result.LabResult;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tailwater lab}. */
@Command(
    name = "lab",
    description = CommandPackage.LAB_DESCRIPTION,
    footer = {
      "",
      "Works in a new directory below DIR, which is removed, even after Ctrl-C. Needs"
          + " no root: experiments that do are skipped, and the report says so. Other load on"
          + " this machine distorts the figures.",
      "",
      "Examples:",
      "  tailwater lab --quick                           two minutes, this directory's mount",
      "  tailwater lab --dir /mnt/nfs --only write-size-sync,read-path",
      "  tailwater lab --full --report lab.html --json lab.json",
      "  tailwater lab compare before.json after.json",
      "",
      "Exit codes: 0 all measured, 3 an experiment failed, one of --only was skipped, or some was"
          + " left out because time was up, 1 all failed."
    })
final class LabCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @ArgGroup private EffortOptions effort = new EffortOptions();

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Run only these experiments; --list names them.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "A directory on the mount to measure. Default: the working directory.")
  private Optional<String> dir = Optional.empty();

  @Option(
      names = "--destination",
      paramLabel = "URI",
      description =
          "Also measure puts to this destination, in a new folder below it, which is" + " removed.")
  private String destination = "";

  @Mixin private LabOutputOptions outputs = new LabOutputOptions();

  @Option(names = "--list", description = "List the experiments and how long they take.")
  private boolean list;

  LabCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The options for the effort, of which at most one may be given. */
  private static final class EffortOptions {
    @Option(
        names = "--quick",
        description =
            "Few sizes and rounds: two minutes. Measures less if the machine is slow or busy, and"
                + " says what it left out.")
    private boolean quick;

    @Option(
        names = "--full",
        description = "Every size and method, and narrow intervals: an hour or more.")
    private boolean full;

    Effort effort() {
      return quick ? Effort.QUICK : full ? Effort.FULL : Effort.NORMAL;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      List<Experiment> chosen = ExperimentChoice.of(Experiments.all(), only);
      LabPrinter.list(chosen, effort.effort(), surroundings.out());
      return ExitCode.DONE.number();
    }
    ExperimentChoice.requireDestination(only, destination);
    if (destination.isEmpty()) {
      return measure(ExperimentChoice.of(Experiments.all(), only)).number();
    }
    if (!only.isEmpty()) {
      only.add(Experiments.DESTINATION);
    }
    ExperimentChoice.of(Experiments.all(), only); // before anything is opened
    URI uri = DestinationText.parse(destination, surroundings);
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(
                LinuxFileCalls.create(), InstantSource.system(), new SecureRandom()),
            PluginDirectories.of(surroundings));
    try (Destination opened = new UriTarget(uri, opener, surroundings).open()) {
      // Only the scheme, because the report is meant to be shared.
      Experiment puts = new DestinationExperiment(opened, uri.getScheme() + ":");
      return measure(ExperimentChoice.of(Experiments.all(puts), only)).number();
    }
  }

  private ExitCode measure(List<Experiment> chosen) throws IOException, InterruptedException {
    Path directory = dir.map(surroundings::absolute).orElseGet(surroundings::workingDirectory);
    LabSession session = new LabSession(surroundings, directory);
    LabPlan plan = new LabPlan(effort.effort(), chosen);
    session.requireSpace(plan);
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    LabOutputs files = outputs.open(surroundings, start);
    FileCalls calls = LinuxFileCalls.create();
    HostFacts before = Host.facts(calls, directory);
    OtherPrograms others = OtherPrograms.begin();
    Optional<List<ExperimentResult>> results = session.run(plan, calls);
    if (results.isEmpty()) {
      return ExitCode.FAILED;
    }
    HostFacts host = others.addTo(before);
    LabResult result =
        new LabResult(
            LabResult.FORMAT,
            Version.number(),
            start.toString(),
            effort.effort().name().toLowerCase(Locale.ROOT),
            host,
            results.get());
    LabPrinter.results(result, files.text());
    files.write(result);
    return exitCode(results.get());
  }

  private ExitCode exitCode(List<ExperimentResult> results) {
    long failed = results.stream().filter(result -> result.failed().isPresent()).count();
    boolean wantedOneSkipped =
        !only.isEmpty() && results.stream().anyMatch(result -> result.skipped().isPresent());
    boolean late = results.stream().anyMatch(result -> result.leftOut().isPresent());
    if (failed == results.size()) {
      return ExitCode.FAILED;
    }
    return failed > 0 || wantedOneSkipped || late ? ExitCode.PARTIAL : ExitCode.DONE;
  }
}
