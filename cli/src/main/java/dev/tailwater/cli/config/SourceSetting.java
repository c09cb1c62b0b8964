package dev.tailwater.cli.config;

import dev.tailwater.delivery.config.CutAt;
import java.util.List;
import java.util.Optional;

/**
 * One directory or file to ship.
 *
 * @param path as the user wrote it
 * @param include globs of the files to ship; empty: all
 * @param exclude globs of the files not to ship
 * @param as the absolute path that it has in the archive; empty: its own
 * @param cutAt where segments of its files may end
 * @param typed whether the user has just typed it, so that what is wrong with it ends the command;
 *     one of a configuration file must not keep the others from being shipped
 */
public record SourceSetting(
    String path,
    List<String> include,
    List<String> exclude,
    Optional<String> as,
    CutAt cutAt,
    boolean typed) {
  public SourceSetting {
    if (as.isPresent()) {
      ValueChecks.absolutePath(as.get());
    }
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Creates one from a configuration file that keeps its own path and is cut anywhere. */
  public SourceSetting(String path, List<String> include, List<String> exclude) {
    this(path, include, exclude, Optional.empty(), CutAt.ANYWHERE, false);
  }

  /**
   * Parses where segments may end, as users write it.
   *
   * @throws IllegalArgumentException it is neither of the two
   */
  public static CutAt parseCutAt(String text) {
    return switch (text) {
      case "newline" -> CutAt.NEWLINE;
      case "anywhere" -> CutAt.ANYWHERE;
      default -> throw new IllegalArgumentException("'" + text + "' is not newline or anywhere");
    };
  }
}
