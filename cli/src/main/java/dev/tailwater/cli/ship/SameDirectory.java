package dev.tailwater.cli.ship;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Whether a path leads into a directory by another name than the directory's own, as through a bind
 * mount. When a file server does not answer within a second, this and all later checks are left to
 * the agent, which leaves such a source out. For one thread.
 */
final class SameDirectory {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private boolean hangs;

  /** Returns whether the path, or a directory above it, is this directory. */
  boolean isAtOrAbove(Path path, Path directory) {
    if (hangs) {
      return false;
    }
    Look look = new Look(path, directory);
    Thread thread = Thread.ofPlatform().name("same-directory").daemon(true).start(look);
    try {
      hangs = !thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return look.found;
  }

  /** The comparison of one path. */
  private static final class Look implements Runnable {
    private final Path path;
    private final Path directory;
    private volatile boolean found;

    Look(Path path, Path directory) {
      this.path = path;
      this.directory = directory;
    }

    @Override
    public void run() {
      for (Path above = path; above != null; above = above.getParent()) {
        if (isDirectory(above)) {
          found = true;
          return;
        }
      }
    }

    private boolean isDirectory(Path above) {
      try {
        return Files.isSameFile(above, directory);
      } catch (IOException e) {
        return false; // What does not exist, or may not be seen, has no other name.
      }
    }
  }
}
