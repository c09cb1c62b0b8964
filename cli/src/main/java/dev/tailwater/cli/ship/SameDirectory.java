package dev.tailwater.cli.ship;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a path leads into a directory by another name than the directory's own, as through a bind
 * mount. When a file server does not answer within a second, this and all later checks are left to
 * the agent, which leaves such a source out. For one thread.
 */
final class SameDirectory {
  private boolean hangs;

  /** Returns whether the path, or a directory above it, is this directory. */
  boolean isAtOrAbove(Path path, Path directory) {
    if (hangs) {
      return false;
    }
    TimedLook.Answer answer = TimedLook.ask("same-directory", () -> look(path, directory));
    hangs = answer == TimedLook.Answer.NONE_IN_TIME;
    return answer == TimedLook.Answer.YES;
  }

  private static boolean look(Path path, Path directory) {
    for (Path above = path; above != null; above = above.getParent()) {
      if (isSame(above, directory)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(Path above, Path directory) {
    try {
      return Files.isSameFile(above, directory);
    } catch (IOException e) {
      return false; // What does not exist, or may not be seen, has no other name.
    }
  }
}
