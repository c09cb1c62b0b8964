package dev.tailwater.cli.config;

import java.util.List;

/**
 * One directory or file to ship.
 *
 * @param path as the user wrote it
 * @param include globs of the files to ship; empty: all
 * @param exclude globs of the files not to ship
 */
public record SourceSetting(String path, List<String> include, List<String> exclude) {
  public SourceSetting {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }
}
