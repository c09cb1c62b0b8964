package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.child.ChildProcesses;
import dev.tailwater.cli.config.DestinationSetting;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.probe.UriTarget;
import dev.tailwater.cli.rehearse.Rehearsal;
import dev.tailwater.cli.rehearse.RehearsalCleanup;
import dev.tailwater.cli.rehearse.RehearsalCommands;
import dev.tailwater.cli.rehearse.RehearsalPaths;
import dev.tailwater.cli.rehearse.RehearsalPlan;
import dev.tailwater.cli.rehearse.RehearsalReport;
import dev.tailwater.cli.rehearse.RehearsalRoot;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tailwater rehearse}. */
@Command(
    name = "rehearse",
    description =
        "Test on this host what is lost when an agent ends in each possible way, and"
            + " whether the deadlines hold.",
    customSynopsis = {
      "tailwater rehearse [OPTION]... SOURCE... DESTINATION",
      "       tailwater rehearse [OPTION]... --config FILE"
    },
    footer = {
      "",
      "Takes the options of ship, writes files at a rate into a new directory on the"
          + " file system of the first source, and ships them to a new folder below each"
          + " destination. The sources are not read, hooks are not run, and directory and"
          + " folders are removed, even after Ctrl-C.",
      "Exit codes: 0 everything holds, 3 something does not, 1 the rehearsal could not" + " be run."
    })
public final class RehearseCommand implements Callable<Integer> {
  private static final Set<String> OWN =
      Set.of("--rate", "--files", "--warm-up", "--notice", "--outage", "--dir", "--json");
  private static final int MOST_FILES = 1000;

  private final Surroundings surroundings;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ShipArguments arguments = new ShipArguments();

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "How fast is written, to all files together. Default: 5MiB/s.")
  private String rate = "5MiB/s";

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Number of files that are written to, 1 to 1000. Default: 4.")
  private int files = 4;

  @Option(
      names = "--warm-up",
      paramLabel = "DURATION",
      description = "How long the files are written before the agent is ended. Default: 5s.")
  private String warmUp = "5s";

  @Option(
      names = "--notice",
      paramLabel = "DURATION",
      description =
          "Time from the notice to the end of the machine; EC2 gives 120s, GCE and Azure"
              + " 30s. Default: 30s.")
  private String notice = "30s";

  @Option(
      names = "--outage",
      paramLabel = "DURATION",
      description = "How long the destination cannot be reached. Default: 10s.")
  private String outage = "10s";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Make the new directory in this one. Default: the directory of the first source,"
              + " if that is not shipped itself.")
  private Optional<String> dir = Optional.empty();

  @Mixin private JsonOption json = new JsonOption();

  public RehearseCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ShipSettings settings = arguments.settings(surroundings);
    RehearsalPlan plan = plan(settings);
    Path ground =
        dir.isPresent()
            ? surroundings.absolute(dir.get())
            : RehearsalRoot.beside(settings.sources(), surroundings);
    SecureRandom random = new SecureRandom();
    String folder = "tailwater-rehearsal-%016x".formatted(random.nextLong());
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), random),
            PluginDirectories.of(surroundings));
    try (RehearsalCleanup traces =
        RehearsalCleanup.begin(ground, folder, destinations(settings), opener, surroundings)) {
      traces.tellApart(surroundings.err());
      return play(settings, plan, traces, opener).number();
    }
  }

  private ExitCode play(
      ShipSettings settings, RehearsalPlan plan, RehearsalCleanup traces, DestinationOpener opener)
      throws IOException, InterruptedException {
    RehearsalPaths places = traces.places();
    try (ChildProcesses processes =
        new ChildProcesses(places.output(), "what the agents said is above")) {
      Rehearsal rehearsal =
          new Rehearsal(
              plan, places, processes, commands(settings, places, traces.folder()), opener);
      Thread cleaner = new Thread(() -> stop(rehearsal, traces));
      Runtime.getRuntime().addShutdownHook(cleaner);
      RehearsalReport report;
      try (TerminalProgress progress = TerminalProgress.counting(surroundings, "rehearse")) {
        report = rehearsal.run(progress::at);
      } catch (IOException | InterruptedException | RuntimeException e) {
        if (traces.isStopped()) {
          traces.remove(); // The hook says what there is to say.
          return ExitCode.FAILED;
        }
        traces.printOutput(surroundings.err());
        throw e;
      } finally {
        removeHook(cleaner);
      }
      traces.remove();
      print(report);
      traces.printLeft(surroundings.err());
      return report.exitCode();
    }
  }

  private void print(RehearsalReport report) throws IOException {
    if (json.wanted()) {
      Json.object(surroundings.out(), report::write);
    } else {
      report.print(surroundings.out());
    }
    surroundings.err().println("tailwater: " + report.sentence());
  }

  private void stop(Rehearsal rehearsal, RehearsalCleanup traces) {
    traces.stop();
    rehearsal.stop();
    traces.remove();
    surroundings.err().println("tailwater: stopped; what the rehearsal wrote is removed");
    traces.printLeft(surroundings.err());
  }

  private static void removeHook(Thread cleaner) {
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs, and finds nothing to do.
      return;
    }
  }

  private List<URI> destinations(ShipSettings settings) {
    return settings.destinations().stream()
        .map(place -> DestinationText.parse(place.place(), surroundings))
        .toList();
  }

  private RehearsalCommands commands(ShipSettings settings, RehearsalPaths places, String folder) {
    List<String> given = givenArguments();
    return new RehearsalCommands() {
      @Override
      public List<String> agent(String scene) {
        List<String> command =
            new ArrayList<>(RehearseAgentCommand.commandLine(places, scene, folder));
        command.addAll(given);
        return command;
      }

      @Override
      public List<String> required(String scene) {
        return settings.destinations().stream()
            .filter(place -> !place.bestEffort())
            .map(DestinationSetting::place)
            .map(place -> DestinationText.parse(place, surroundings))
            .map(uri -> UriTarget.below(uri, folder + "/" + scene))
            .toList();
      }
    };
  }

  /** Returns the user's arguments without the options that only the rehearsal has. */
  private List<String> givenArguments() {
    List<String> given = new ArrayList<>();
    var parsed = spec.commandLine().getParseResult();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (!OWN.contains(option.longestName())) {
        option
            .originalStringValues()
            .forEach(value -> given.add(option.longestName() + "=" + value));
      }
    }
    given.add("--"); // What follows are places, whatever they begin with.
    for (PositionalParamSpec place : parsed.matchedPositionals()) {
      given.addAll(place.originalStringValues());
    }
    return given;
  }

  private RehearsalPlan plan(ShipSettings settings) {
    if (files < 1 || files > MOST_FILES) {
      throw UserException.usage(
          "--files: expected 1 to " + MOST_FILES + ", not " + files, "--files 4");
    }
    return new RehearsalPlan(
        rateBytes(),
        files,
        duration("--warm-up", warmUp, Duration.ofMillis(100)),
        duration("--notice", notice, Duration.ofSeconds(1)),
        settings.drainDeadline(),
        duration("--outage", outage, Duration.ofMillis(100)));
  }

  private long rateBytes() {
    try {
      String size = rate.endsWith("/s") ? rate.substring(0, rate.length() - 2) : rate;
      long bytes = ByteSizes.parse(size);
      if (bytes > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--rate: " + e.getMessage(), "--rate 5MiB/s");
    }
    throw UserException.usage("--rate: expected more than nothing", "--rate 5MiB/s");
  }

  private static Duration duration(String option, String text, Duration least) {
    try {
      Duration parsed = Durations.parse(text);
      if (parsed.compareTo(least) >= 0) {
        return parsed;
      }
    } catch (IllegalArgumentException e) {
      throw UserException.usage(option + ": " + e.getMessage(), option + " 10s");
    }
    throw UserException.usage(
        option + ": expected at least " + Durations.format(least) + ", not " + text,
        option + " 10s");
  }
}
