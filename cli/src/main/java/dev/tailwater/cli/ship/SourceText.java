package dev.tailwater.cli.ship;

import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.config.SourceGlob;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.time.Duration;
import java.util.List;

/**
 * Sources as users write them: paths or globs. A valid glob with {@code *} or {@code ?} is one in
 * any case, so that nobody can hide files by making one of that name; with brackets or braces
 * alone, an existing file or directory of that name is meant.
 */
public final class SourceText {
  /** A file server that does not answer must not keep the agent from starting. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Surroundings surroundings;
  private final FileCalls calls = LinuxFileCalls.create();
  private final PathArgument argument;

  SourceText(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.argument = new PathArgument(surroundings, calls);
  }

  /** Reads a source; fails with a message for the user. */
  public static Source read(SourceSetting setting, Surroundings surroundings) {
    return new SourceText(surroundings).read(setting);
  }

  /** The same, for several. */
  Source read(SourceSetting setting) {
    try {
      return parse(setting.path(), setting.include(), setting.exclude());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "source " + setting.path() + ": " + e.getMessage(),
          "check the path: nothing of this name exists; or close the bracket, if it is a glob");
    }
  }

  /**
   * Parses a source.
   *
   * @throws IllegalArgumentException there is no such file, and it is no valid glob; the message
   *     says why
   */
  Source parse(String text, List<String> include, List<String> exclude) {
    String path = surroundings.absolute(text).toString();
    PosixPath exact = argument.absolute(text);
    boolean isEscaped = !exact.equals(PosixPath.of(path));
    return isEscaped || (mayBeName(path) && existsInTime(exact))
        ? new Source(exact, include, exclude)
        : Source.parse(path, include, exclude);
  }

  private static boolean mayBeName(String path) {
    boolean hasWildcard = path.indexOf('*') >= 0 || path.indexOf('?') >= 0;
    boolean hasBracket = path.indexOf('[') >= 0 || path.indexOf('{') >= 0;
    return hasWildcard ? !SourceGlob.isValid(path) : hasBracket;
  }

  private boolean existsInTime(PosixPath path) {
    Look look = new Look(calls, path);
    Thread thread = Thread.ofPlatform().name("source-name").daemon(true).start(look);
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return look.found;
  }

  /** The look whether there is a file of this name. */
  private static final class Look implements Runnable {
    private final FileCalls calls;
    private final PosixPath path;
    private volatile boolean found;

    Look(FileCalls calls, PosixPath path) {
      this.calls = calls;
      this.path = path;
    }

    @Override
    public void run() {
      found = PathArgument.exists(calls, path);
    }
  }
}
