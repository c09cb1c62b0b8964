package dev.tailwater.cli.ship;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.Optional;

/**
 * Refuses a source whose path leads through a symbolic link that the agent would not follow. A file
 * server that is away does not hold this up: what does not answer within a second is left to the
 * agent, which looks for itself.
 */
final class SourceLinks {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final SourcePaths paths;

  SourceLinks(FileCalls calls) {
    this.paths = new SourcePaths(calls);
  }

  /** Throws what the user is to be told, if the link is not to be followed. */
  void check(String source, PosixPath root) {
    Look look = new Look(paths, root);
    Thread thread = Thread.ofPlatform().name("source-path").daemon(true).start(look);
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    look.refusal.ifPresent(
        e -> {
          throw UserException.usage(
              "source " + source + ": " + e.getMessage(),
              "give the path that the link leads to, or make link and directory root's or the"
                  + " agent's own, writable by nobody else");
        });
  }

  /** Finds out whether a link is refused. */
  private static final class Look implements Runnable {
    private final SourcePaths paths;
    private final PosixPath root;
    private volatile Optional<ErrnoException> refusal = Optional.empty();

    Look(SourcePaths paths, PosixPath root) {
      this.paths = paths;
      this.root = root;
    }

    @Override
    public void run() {
      try (SourcePaths.Place _ = paths.find(root)) {
        refusal = Optional.empty();
      } catch (ErrnoException e) {
        // Whatever else is wrong with it may pass, and the agent says so by itself.
        refusal = Optional.of(e).filter(refused -> refused.errno() == Errno.ELOOP);
      }
    }
  }
}
