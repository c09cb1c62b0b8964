package dev.tailwater.cli.ship;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The resolution of symbolic links in paths, as far as they exist. Because a call to a file server
 * that is away hangs, each path is resolved once, on another thread, for at most a second; the part
 * that does not answer stays as it is written. For one thread.
 */
final class RealPaths {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final long IDLE_MILLIS = 100;

  private final Map<Path, Path> known = new HashMap<>();
  private final Looks looks;
  private final Duration patience;
  private final SameDirectory mounts = new SameDirectory();

  /** Resolves one path after another; replaced when a path does not answer. */
  private ThreadPoolExecutor resolver = newResolver();

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
    try {
      resolver.submit(walk).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      resolver = newResolver();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot resolve " + path, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Path found = walk.found;
    known.put(path, found);
    return found;
  }

  /**
   * Resolves an absolute path whose bytes may be no text. Of what it leads to, only the parts are
   * exact that are text.
   */
  Path of(PosixPath path) {
    Path text = path.toPath();
    return PosixPath.of(text).equals(path) ? of(text) : ofOpened(path, text);
  }

  /** The JVM cannot name such a file, but the kernel tells where an open one is. */
  private Path ofOpened(PosixPath path, Path text) {
    CompletableFuture<Path> found = new CompletableFuture<>();
    TimedLook.Answer answer =
        TimedLook.ask(
            "real-path",
            () -> {
              try (Descriptor file =
                  Descriptor.open(
                      LinuxFileCalls.create(),
                      FileCalls.AT_FDCWD,
                      path,
                      Set.of(OpenFlag.PATH),
                      0)) {
                return found.complete(looks.realPath(Path.of("/proc/self/fd/" + file.fd())));
              } catch (IOException e) {
                return false; // There is nothing, or nothing that may be seen.
              }
            });
    return answer == TimedLook.Answer.YES ? found.getNow(text) : text;
  }

  /** Returns whether an absolute path leads into a directory, by its links or through a mount. */
  boolean leadInto(PosixPath path, Path directory) {
    Path real = of(path);
    return real.startsWith(of(directory)) || mounts.isAtOrAbove(real, directory);
  }

  /** Its thread ends when it is idle: an agent resolves paths only while it starts. */
  private static ThreadPoolExecutor newResolver() {
    ThreadPoolExecutor resolver =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_MILLIS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("real-path").daemon(true).factory());
    resolver.allowCoreThreadTimeOut(true);
    return resolver;
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
