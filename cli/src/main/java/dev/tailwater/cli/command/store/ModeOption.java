package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.store.datafile.tool.StoreMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option for the mode of a store that a command creates. */
final class ModeOption {
  /** What a store that was not made to its end has, and a file system at its root. */
  private static final Set<String> OF_NEW = Set.of("LOCK", "lost+found");

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "The mode of a new store: data (values on disk; the default) or log (values in"
              + " memory).")
  private Optional<String> mode = Optional.empty();

  /** Returns the mode that was given, or data files. */
  StoreMode wanted() {
    return mode.map(ModeOption::parse).orElse(StoreMode.DATA);
  }

  /**
   * Returns the mode for a directory; fails if it already has a store of the other mode, or files
   * of something else, such as an archive.
   */
  StoreMode ofNew(StoreDirectory store, Surroundings surroundings) throws IOException {
    StoreMode wanted = wanted();
    Optional<StoreMode> there = StoreMode.of(store.calls(), store.path(surroundings));
    if (mode.isPresent() && there.isPresent() && there.get() != wanted) {
      throw UserException.usage(
          "--mode " + wanted.text() + ", but " + store.name() + " is of mode " + there.get().text(),
          "leave --mode out, or name another directory");
    }
    if (there.isEmpty() && hasOtherFiles(store.absolute(surroundings))) {
      throw UserException.usage(
          store.name() + " has files, and no store", "name a new directory, or that of a store");
    }
    return wanted;
  }

  private static boolean hasOtherFiles(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> !OF_NEW.contains(String.valueOf(file.getFileName())));
    }
  }

  private static StoreMode parse(String text) {
    List<String> names = Arrays.stream(StoreMode.values()).map(StoreMode::text).toList();
    return Arrays.stream(StoreMode.values())
        .filter(known -> known.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                UserException.usage(
                    "--mode " + text + " is not known",
                    "it is one of " + String.join(", ", names)));
  }
}
