package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.DestinationSetting;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.config.SourceGlob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The arguments of {@code ship}: sources and destinations. Its other options come from {@link
 * ShipKey}.
 */
final class ShipArguments {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "SOURCE... DESTINATION",
      hideParamSyntax = true,
      description =
          "Directories, files or globs to ship, and where to ship them. What has * or ? is a"
              + " glob; what has only [ or { is one if no file or directory has that name.")
  private List<String> places = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read sources, destination and settings from a YAML file.")
  private String config = "";

  @Option(
      names = "--to",
      paramLabel = "DESTINATION",
      description =
          "A destination; all arguments are then sources. Can be given several times:"
              + " everything is delivered to each.")
  private List<String> required = new ArrayList<>();

  @Option(
      names = "--to-best-effort",
      paramLabel = "DESTINATION",
      description =
          "A further destination that nobody relies on: bytes that it lacks are not at risk"
              + " and do not make a drain fail. Can be given several times.")
  private List<String> bestEffort = new ArrayList<>();

  @Option(
      names = "--include",
      paramLabel = "GLOB",
      description = "Ship only files that match. Can be given several times.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description = "Leave out files and directories that match. Can be given several times.")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--as",
      paramLabel = "PATH",
      description =
          "Archive the files of the only SOURCE as if it were at this absolute path, as on"
              + " the machine that its disk comes from.")
  private Optional<String> as = Optional.empty();

  @Option(
      names = "--cut-at",
      paramLabel = "WHERE",
      description =
          "Where segments may end: anywhere, or newline, so that programs that read objects"
              + " one by one see whole lines. Default: anywhere.")
  private Optional<String> cutAt = Optional.empty();

  /** Returns the settings of the command line and the configuration file together. */
  ShipSettings settings(Surroundings surroundings) throws IOException {
    ShipSettings.Builder settings;
    if (config.isEmpty()) {
      settings = new ShipSettings.Builder();
      addPlaces(settings);
    } else {
      if (!places.isEmpty()
          || !include.isEmpty()
          || !exclude.isEmpty()
          || as.isPresent()
          || cutAt.isPresent()) {
        throw wrong(
            "sources, --include, --exclude, --as, --cut-at and the destination are in the file of"
                + " --config");
      }
      settings = ConfigFiles.settings(surroundings, config);
    }
    addDestinations(settings);
    ShipOptions.apply(spec.commandLine(), settings);
    settings
        .contradiction()
        .ifPresent(
            both -> {
              throw UserException.usage(both.message(), both.hint());
            });
    return settings.build();
  }

  /**
   * Sets the destinations of {@code --to} and {@code --to-best-effort}, which replace all others.
   */
  private void addDestinations(ShipSettings.Builder settings) {
    List<DestinationSetting> destinations = new ArrayList<>();
    try {
      required.forEach(place -> destinations.add(DestinationSetting.required(place)));
      bestEffort.forEach(place -> destinations.add(DestinationSetting.bestEffort(place)));
    } catch (IllegalArgumentException e) {
      throw wrong("--to: " + e.getMessage());
    }
    if (required.isEmpty() && !bestEffort.isEmpty()) {
      throw wrong(
          "--to-best-effort needs a destination that is required besides: --to DESTINATION");
    }
    if (!destinations.isEmpty()) {
      settings.destinations(destinations);
    }
  }

  private void addPlaces(ShipSettings.Builder settings) {
    boolean lastIsDestination = required.isEmpty() && bestEffort.isEmpty();
    if (places.isEmpty()) {
      throw wrong("there is nothing to ship: SOURCE... DESTINATION or --config FILE is needed");
    }
    if (lastIsDestination && places.size() < 2) {
      throw wrong(
          "a source and a destination are needed, there is only '" + places.getFirst() + "'");
    }
    int sources = lastIsDestination ? places.size() - 1 : places.size();
    if (as.isPresent() && sources > 1) {
      throw wrong("--as is about one source; several have 'as' in the file of --config each");
    }
    for (String source : places.subList(0, sources)) {
      settings.source(source(source));
    }
    if (lastIsDestination) {
      setDestination(settings, places.getLast());
    }
  }

  private void setDestination(ShipSettings.Builder settings, String place) {
    try {
      settings.set(ShipKey.DESTINATION, place);
    } catch (IllegalArgumentException e) {
      throw wrong("DESTINATION: " + e.getMessage());
    }
  }

  private SourceSetting source(String path) {
    if (path.isBlank()) {
      throw wrong("a source is empty: expected a path or a glob, not an empty text");
    }
    requireGlobs("--include: ", include);
    requireGlobs("--exclude: ", exclude);
    try {
      return new SourceSetting(path, include, exclude, as, where(), true);
    } catch (IllegalArgumentException e) {
      throw wrong("--as: " + e.getMessage());
    }
  }

  private void requireGlobs(String option, List<String> globs) {
    try {
      globs.forEach(SourceGlob::require);
    } catch (IllegalArgumentException e) {
      throw wrong(option + e.getMessage());
    }
  }

  private CutAt where() {
    try {
      return cutAt.map(SourceSetting::parseCutAt).orElse(CutAt.ANYWHERE);
    } catch (IllegalArgumentException e) {
      throw wrong("--cut-at: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
