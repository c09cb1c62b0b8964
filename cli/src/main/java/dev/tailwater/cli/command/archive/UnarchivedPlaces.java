package dev.tailwater.cli.command.archive;

import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.config.SourceGlob;
import dev.tailwater.delivery.source.SourceFilter;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.verify.UnarchivedScope;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Where {@code verify --against} looks for files that the archive does not have. */
final class UnarchivedPlaces {
  private UnarchivedPlaces() {}

  /**
   * Leaves out the archive itself and what globs of the user match.
   *
   * @param directory with which the archive is compared, absolute
   * @throws UserException a glob is not valid
   */
  static UnarchivedScope scope(
      String destination, PosixPath directory, List<String> exclude, Surroundings surroundings) {
    try {
      exclude.forEach(SourceGlob::require);
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--exclude: " + e.getMessage(), "for example --exclude '*.tmp'");
    }
    SourceFilter filter = new SourceFilter(TargetPath.normalized(directory), List.of(), exclude);
    URI uri = DestinationText.parse(destination, surroundings);
    Optional<PosixPath> archive =
        Optional.ofNullable(uri.getPath())
            .filter(_ -> "file".equals(uri.getScheme()))
            .map(PosixPath::of);
    return new UnarchivedScope(archive, path -> !filter.wants(path));
  }
}
