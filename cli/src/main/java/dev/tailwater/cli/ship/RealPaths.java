package dev.tailwater.cli.ship;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The resolution of symbolic links in paths, as far as they exist. Because a call to a file server
 * that is away hangs, each path is resolved once, on a thread of its own, for at most a second; the
 * part that does not answer stays as it is written. For one thread.
 */
final class RealPaths {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Map<Path, Path> known = new HashMap<>();
  private final Looks looks;
  private final Duration patience;

  /** The calls to the file system. */
  interface Looks {
    /**
     * Returns the path of an existing file without links.
     *
     * @throws IOException there is none, or it cannot be told
     */
    Path realPath(Path path) throws IOException;
  }

  RealPaths() {
    this(path -> path.toRealPath(), PATIENCE);
  }

  RealPaths(Looks looks, Duration patience) {
    this.looks = looks;
    this.patience = patience;
  }

  /** Resolves an absolute path. */
  Path of(Path path) {
    Path before = known.get(path);
    if (before != null) {
      return before;
    }
    Walk walk = new Walk(looks, path);
    Thread thread = Thread.ofPlatform().name("real-path").daemon(true).start(walk);
    try {
      thread.join(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Path found = walk.found;
    known.put(path, found);
    return found;
  }

  /** Follows a path part by part. */
  private static final class Walk implements Runnable {
    private final Looks looks;
    private final Path path;

    /** The path, as far as it is resolved. */
    private volatile Path found;

    Walk(Looks looks, Path path) {
      this.looks = looks;
      this.path = path;
      this.found = path;
    }

    @Override
    public void run() {
      Path reached = path.getRoot();
      for (int i = 0; i < path.getNameCount(); i++) {
        try {
          reached = looks.realPath(reached.resolve(path.getName(i)));
        } catch (IOException e) {
          return; // From here on there is nothing, or nothing that may be seen.
        }
        boolean last = i + 1 == path.getNameCount();
        found = last ? reached : reached.resolve(path.subpath(i + 1, path.getNameCount()));
      }
    }
  }
}
