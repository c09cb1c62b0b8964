package dev.tailwater.cli.command.store;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.store.datafile.tool.StoreMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Of which mode a store is that a command makes. */
final class ModeOption {
  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "The mode of a new store: data (values on disk; the default) or log (values in"
              + " memory).")
  private Optional<String> mode = Optional.empty();

  /** What was asked for, or data files. */
  StoreMode wanted() {
    return mode.map(ModeOption::parse).orElse(StoreMode.DATA);
  }

  /** The same, for a directory that may hold a store of another mode already. */
  StoreMode ofNew(StoreDirectory store, Surroundings surroundings) throws IOException {
    StoreMode wanted = wanted();
    Optional<StoreMode> there = StoreMode.of(store.calls(), store.path(surroundings));
    if (mode.isPresent() && there.isPresent() && there.get() != wanted) {
      throw UserException.usage(
          "--mode " + wanted.text() + ", but " + store.name() + " is of mode " + there.get().text(),
          "leave --mode out, or name another directory");
    }
    return wanted;
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
