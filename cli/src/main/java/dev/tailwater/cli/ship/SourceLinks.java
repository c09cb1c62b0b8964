package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.UnfitSource;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.io.SourcePaths;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a source whose path goes through a symbolic link that the agent would not follow, and one
 * of which nothing would be shipped. If a file server does not answer within a second, the check is
 * left to the agent.
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
    await(look);
    look.refusal.ifPresent(
        e -> {
          throw UserException.usage(
              "source " + source + ": " + e.getMessage(),
              "give the path that the link leads to, or make link and directory root's or the"
                  + " agent's own, writable by nobody else");
        });
    look.unfit.ifPresent(what -> refuse(source, what));
  }

  /**
   * Throws an exception for a source that the kernel makes up, which stays so. For what else can be
   * wrong with a configured source the agent waits.
   *
   * @param sources the paths of configured sources, as given
   */
  void checkConfigured(Map<String, PosixPath> sources) {
    AtomicReference<@Nullable String> madeUp = new AtomicReference<>();
    await(
        () ->
            sources.entrySet().stream()
                .filter(source -> isMadeUp(source.getValue()))
                .findFirst()
                .ifPresent(found -> madeUp.set(found.getKey())));
    Optional.ofNullable(madeUp.get()).ifPresent(source -> refuse(source, UnfitSource.MADE_UP));
  }

  private boolean isMadeUp(PosixPath root) {
    return UnfitSource.at(calls, root).filter(UnfitSource.MADE_UP::equals).isPresent();
  }

  private static void refuse(String source, UnfitSource what) {
    throw UserException.usage("source " + source + " " + what.text(), what.hint());
  }

  private static void await(Runnable look) {
    Thread thread = Thread.ofPlatform().name("source-path").daemon(true).start(look);
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The check of one path. */
  private static final class Look implements Runnable {
    private final FileCalls calls;
    private final PosixPath root;
    private volatile Optional<ErrnoException> refusal = Optional.empty();
    private volatile Optional<UnfitSource> unfit = Optional.empty();

    Look(FileCalls calls, PosixPath root) {
      this.calls = calls;
      this.root = root;
    }

    @Override
    public void run() {
      try (SourcePaths.Place _ = new SourcePaths(calls).find(root)) {
        unfit = UnfitSource.at(calls, root);
      } catch (ErrnoException e) {
        // Any other failure may be temporary, and the agent reports it.
        refusal = Optional.of(e).filter(refused -> refused.errno() == Errno.ELOOP);
      }
    }
  }
}
