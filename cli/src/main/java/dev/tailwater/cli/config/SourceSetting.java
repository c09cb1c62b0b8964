package dev.tailwater.cli.config;

import java.util.List;
import java.util.Optional;

/**
 * One directory or file to ship.
 *
 * @param path as the user wrote it
 * @param include globs of the files to ship; empty: all
 * @param exclude globs of the files not to ship
 * @param as the absolute path that it has in the archive; empty: its own
 */
public record SourceSetting(
    String path, List<String> include, List<String> exclude, Optional<String> as) {
  public SourceSetting {
    if (as.isPresent()) {
      ValueChecks.absolutePath(as.get());
    }
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** One that has its own path in the archive. */
  public SourceSetting(String path, List<String> include, List<String> exclude) {
    this(path, include, exclude, Optional.empty());
  }
}
