package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Predicate;

/** The sources of a plan that do not exist or are no files, and the globs that match no file. */
final class MissingSources {
  private final List<Source> sources;
  private final Surroundings surroundings;

  MissingSources(ShipPlan plan, Surroundings surroundings) {
    this.sources = plan.config().scope().sources();
    this.surroundings = surroundings;
  }

  /** Says which sources are no files or directories; returns how many they are. */
  int reportAbsent(String consequence) {
    FileCalls calls = LinuxFileCalls.create();
    int absent = 0;
    for (Source source : sources) {
      if (!PathArgument.exists(calls, source.root())) {
        say("source " + EscapedPath.of(source.root()) + " does not exist; " + consequence);
        absent++;
      } else if (PathArgument.isSpecial(calls, source.root())) {
        say(
            "source "
                + EscapedPath.of(source.root())
                + " is neither a file nor a directory; "
                + consequence);
        absent++;
      }
    }
    return absent;
  }

  /** Reports the globs that match no file, and returns their number. */
  int reportUnmatched(Predicate<Source> hasFiles, String consequence) {
    int unmatched = 0;
    for (Source source : sources) {
      boolean exists = Files.exists(source.root().toPath());
      if (exists && source.isGlob() && !hasFiles.test(source)) {
        say(
            "source "
                + source.root()
                + source.include().getFirst()
                + " matches no file"
                + consequence);
        unmatched++;
      }
    }
    return unmatched;
  }

  /** Fails where no source is left to ship once, because none is a file or a directory. */
  void requireExisting(int absent) {
    if (absent == sources.size()) {
      throw UserException.failed(
          "nothing was shipped: there is no source", "check the paths of the sources");
    }
  }

  /** Fails where no source is left to ship once. */
  void requireAny(int left) {
    if (left == sources.size()) {
      throw UserException.failed(
          "nothing was shipped: no file matches",
          "a glob names files; to ship what is in directories, name them, or end it in /**");
    }
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
