package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.UnfitSource;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * The sources of a plan that do not exist or are no files, the globs that match no file, and what
 * is not followed.
 */
final class MissingSources {
  /** How long a file system may take to tell whether a source exists. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<Source> sources;
  private final Surroundings surroundings;

  MissingSources(ShipPlan plan, Surroundings surroundings) {
    this.sources = plan.config().scope().sources();
    this.surroundings = surroundings;
  }

  /**
   * Says which sources are no files or directories, on a thread of its own: the file system below
   * one may not answer, and who delivers must be able to say so.
   *
   * @return how many they are
   */
  CompletableFuture<Integer> reportAbsent(String consequence) {
    CompletableFuture<Integer> absent = new CompletableFuture<>();
    // No virtual thread: a call that hangs would occupy its carrier.
    Thread.ofPlatform()
        .name("sources")
        .daemon(true)
        .start(
            () -> {
              try {
                absent.complete(lookForAbsent(consequence));
              } catch (RuntimeException | Error e) {
                absent.completeExceptionally(e);
              }
            });
    return absent;
  }

  private int lookForAbsent(String consequence) {
    FileCalls calls = LinuxFileCalls.create();
    int absent = 0;
    for (Source source : sources) {
      Optional<String> objection = objection(calls, source.root());
      if (objection.isPresent()) {
        say("source " + EscapedPath.of(source.root()) + " " + objection.get() + "; " + consequence);
        absent++;
      }
    }
    return absent;
  }

  private static Optional<String> objection(FileCalls calls, PosixPath root) {
    return PathArgument.isAbsent(calls, root)
        ? Optional.of("does not exist")
        : UnfitSource.at(calls, root).map(UnfitSource::text);
  }

  /** Reports the globs that match no file, and returns their number. */
  int reportUnmatched(Predicate<Source> hasFiles, String consequence) {
    int unmatched = 0;
    for (Source source : sources) {
      boolean exists = Files.exists(source.root().toPath());
      if (exists && source.isGlob() && !hasFiles.test(source)) {
        say(
            "source "
                + source.root()
                + source.include().getFirst()
                + " matches no file"
                + consequence);
        unmatched++;
      }
    }
    return unmatched;
  }

  /** Says that symbolic links are left out, if any are. */
  void reportLinks(long leftOut) {
    if (leftOut > 0) {
      say(
          Count.of(leftOut, "symbolic link is", "symbolic links are")
              + " left out: links below a source are not followed");
      surroundings
          .err()
          .println(
              "Hint: to ship what they lead to, name it as a source too; 'directories: on' archives"
                  + " the links themselves");
    }
  }

  /**
   * Fails where no source is left to ship once, because none is a file or a directory. Where that
   * is not known soon, the agent is to tell.
   */
  void requireExisting(CompletableFuture<Integer> absent) throws InterruptedException {
    requireExisting(known(absent));
  }

  /** Fails where no source is left to ship once, because none is a file or a directory. */
  void requireExisting(int absent) {
    if (absent == sources.size()) {
      throw UserException.failed(
          "nothing was shipped: there is no source", "check the paths of the sources");
    }
  }

  private static int known(CompletableFuture<Integer> absent) throws InterruptedException {
    try {
      return absent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return 0;
    } catch (ExecutionException e) {
      return absent.join(); // It fails with the cause.
    }
  }

  /** Fails where no source is left to ship once. */
  void requireAny(int left) {
    if (left == sources.size()) {
      throw UserException.failed(
          "nothing was shipped: no file matches",
          "a glob names files; to ship what is in directories, name them, or end it in /**");
    }
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.text(message));
  }
}
