package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.config.PlaceCheck;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads configuration files for commands; fails with a message for the user. */
final class ConfigFiles {
  private ConfigFiles() {}

  /** Reads a whole configuration file, and checks each place in it. */
  static ConfigFile.Result read(Surroundings surroundings, String file, PlaceCheck check)
      throws IOException {
    Path directory = surroundings.absolute(file).resolveSibling("");
    return ConfigFile.read(text(surroundings, file), directory, check);
  }

  private static String text(Surroundings surroundings, String file) throws IOException {
    Path path = surroundings.absolute(file);
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw UserException.usage(
          file
              + ": not a configuration file but "
              + (Files.isDirectory(path) ? "a directory" : "a device, pipe or socket"),
          "name the file in YAML, for example tailwater.yaml; 'tailwater init' writes one");
    }
    if (Files.notExists(path)) {
      throw UserException.usage(
          file + ": no such configuration file",
          "'tailwater init' writes one; conf/tailwater.yaml of the package shows every key");
    }
    return TextFiles.read(path, file);
  }

  /** Returns the settings in a configuration file; fails with its first problem. */
  static ShipSettings.Builder settings(Surroundings surroundings, String file) throws IOException {
    // Destinations are checked when they are opened.
    ConfigFile.Result result = read(surroundings, file, place -> {});
    List<ConfigProblem> problems = result.problems();
    if (!problems.isEmpty()) {
      ConfigProblem first = problems.getFirst();
      String all =
          problems.size() == 1 ? "" : "; 'tailwater check " + file + "' lists all problems";
      throw UserException.usage(first.at(file), first.hint().orElse("fix this line") + all);
    }
    return result.settings();
  }
}
