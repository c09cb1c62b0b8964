package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.Optional;

/**
 * Refuses a source whose path goes through a symbolic link that the agent would not follow, and one
 * that is neither a file nor a directory, of which nothing would be shipped. If a file server does
 * not answer within a second, the check is left to the agent.
 */
final class SourceLinks {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final FileCalls calls;

  SourceLinks(FileCalls calls) {
    this.calls = calls;
  }

  /** Throws an exception with a message for the user if it is refused. */
  void check(String source, PosixPath root) {
    Look look = new Look(calls, root);
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
    if (look.isSpecial) {
      throw UserException.usage(
          "source " + source + " is neither a file nor a directory", "name files or directories");
    }
  }

  /** The check of one path. */
  private static final class Look implements Runnable {
    private final FileCalls calls;
    private final PosixPath root;
    private volatile Optional<ErrnoException> refusal = Optional.empty();
    private volatile boolean isSpecial;

    Look(FileCalls calls, PosixPath root) {
      this.calls = calls;
      this.root = root;
    }

    @Override
    public void run() {
      try (SourcePaths.Place _ = new SourcePaths(calls).find(root)) {
        isSpecial = PathArgument.isSpecial(calls, root);
      } catch (ErrnoException e) {
        // Any other failure may be temporary, and the agent reports it.
        refusal = Optional.of(e).filter(refused -> refused.errno() == Errno.ELOOP);
      }
    }
  }
}
