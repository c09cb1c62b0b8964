package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ConfigFile;
import dev.tailwater.cli.config.ConfigProblem;
import dev.tailwater.cli.config.PlaceCheck;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Configuration files as commands need them: read to their end, or a message for the user. */
final class ConfigFiles {
  private ConfigFiles() {}

  /** Reads a configuration file to its end, and asks about each destination in it. */
  static ConfigFile.Result read(Surroundings surroundings, String file, PlaceCheck check)
      throws IOException {
    Path directory = surroundings.absolute(file).resolveSibling("");
    return ConfigFile.read(text(surroundings, file), directory, check);
  }

  private static String text(Surroundings surroundings, String file) throws IOException {
    Path path = surroundings.absolute(file);
    if (!Files.isRegularFile(path)) {
      throw UserException.usage(
          file + ": no such configuration file",
          "an example is conf/tailwater.yaml of the package");
    }
    try {
      return Files.readString(path);
    } catch (CharacterCodingException e) {
      throw UserException.usage(
          file + ": not UTF-8 text", "'file " + file + "' says what it is instead");
    }
  }

  /** The settings in a configuration file that has no problems; otherwise fails with the first. */
  static ShipSettings.Builder settings(Surroundings surroundings, String file) throws IOException {
    // A destination is looked at when it is opened.
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
