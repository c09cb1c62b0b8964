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
 * Refuses a source whose path goes through a symbolic link that the agent would not follow. If a
 * file server does not answer within a second, the check is left to the agent.
 */
final class SourceLinks {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final SourcePaths paths;

  SourceLinks(FileCalls calls) {
    this.paths = new SourcePaths(calls);
  }

  /** Throws an exception with a message for the user if a link is not followed. */
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

  /** The check of one path. */
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
        // Any other failure may be temporary, and the agent reports it.
        refusal = Optional.of(e).filter(refused -> refused.errno() == Errno.ELOOP);
      }
    }
  }
}
