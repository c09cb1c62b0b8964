package dev.tailwater.restore.verify;

import dev.tailwater.posix.PosixPath;
import java.util.List;

/**
 * The files of a directory that an archive does not have.
 *
 * @param count how many there are
 * @param first the absolute paths of those that were found first, at most {@value #MAX_NAMED}
 * @param unlistedCount how many directories could not be listed: what is in them is not known
 * @param unlisted those that were found first, at most {@value #MAX_NAMED}
 */
public record UnarchivedFiles(
    long count, List<PosixPath> first, long unlistedCount, List<Unlisted> unlisted) {
  /** The most files and directories that are named: memory is bounded. */
  public static final int MAX_NAMED = 1000;

  /**
   * A directory that could not be listed.
   *
   * @param path absolute
   */
  public record Unlisted(PosixPath path, String why) {}

  public UnarchivedFiles {
    first = List.copyOf(first);
    unlisted = List.copyOf(unlisted);
  }

  /** Whether the archive has every file of the directory. */
  boolean isNone() {
    return count == 0 && unlistedCount == 0;
  }
}
