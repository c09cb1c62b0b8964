package dev.tailwater.cli.ship;

import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.PathArgument;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.config.SourceGlob;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sources as users write them: paths or globs. A valid glob with {@code *} or {@code ?} is one in
 * any case, so that nobody can hide files by making one of that name; with brackets or braces
 * alone, an existing file or directory of that name is meant.
 */
public final class SourceText {
  private final Surroundings surroundings;
  private final FileCalls calls;
  private final PathArgument argument;

  SourceText(Surroundings surroundings) {
    this(surroundings, LinuxFileCalls.create());
  }

  SourceText(Surroundings surroundings, FileCalls calls) {
    this.surroundings = surroundings;
    this.calls = calls;
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
    } catch (UnknownNameException e) {
      throw e.toUser(setting.path());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "source " + setting.path() + ": " + e.getMessage(),
          "check the path: nothing of this name exists; close the bracket, if it is a glob; or name"
              + " a directory, and give the glob as its 'include'");
    }
  }

  /**
   * Parses a source.
   *
   * @throws IllegalArgumentException there is no such file, and it is no valid glob, or one below a
   *     directory whose name would be a part of it, or it cannot be told whether there is such a
   *     file; the message says why
   */
  Source parse(String text, List<String> include, List<String> exclude) {
    String path = surroundings.absolute(text).toString();
    PosixPath exact = argument.absolute(text);
    boolean isEscaped = !exact.equals(PosixPath.of(path));
    if (isEscaped || !hasSyntax(text) || (mayBeName(path) && existsInTime(exact))) {
      return new Source(exact, include, exclude);
    }
    requireGlobBelowPlainDirectory(text);
    return Source.parse(path, include, exclude);
  }

  /** What the directory is called that a glob is relative to must not become a part of the glob. */
  private void requireGlobBelowPlainDirectory(String text) {
    String directory = surroundings.absolute(".").normalize().toString();
    if (!text.startsWith("/") && hasSyntax(directory)) {
      throw new IllegalArgumentException(
          "a glob below " + directory + " would begin with what that has of * ? [ {");
    }
  }

  private static boolean hasSyntax(String text) {
    return text.chars().anyMatch(c -> "*?[{\\".indexOf(c) >= 0);
  }

  private static boolean mayBeName(String path) {
    boolean hasWildcard = path.indexOf('*') >= 0 || path.indexOf('?') >= 0;
    boolean hasBracket = path.indexOf('[') >= 0 || path.indexOf('{') >= 0;
    return hasWildcard ? !SourceGlob.isValid(path) : hasBracket;
  }

  private boolean existsInTime(PosixPath path) {
    AtomicReference<@Nullable ErrnoException> failure = new AtomicReference<>();
    TimedLook.Answer answer =
        TimedLook.ask(
            "source-name",
            () -> {
              try {
                return PathArgument.exists(calls, path);
              } catch (ErrnoException e) {
                failure.set(e);
                return false;
              }
            });
    ErrnoException failed = failure.get();
    if (failed != null) {
      throw new UnknownNameException(path, failed);
    }
    return answer == TimedLook.Answer.YES;
  }

  /** It cannot be told whether there is a file with the name of a glob. */
  private static final class UnknownNameException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    UnknownNameException(PosixPath path, ErrnoException cause) {
      super(
          "it cannot be told whether a file of this name exists: "
              + cause.messageAbout(path.toString()),
          cause);
      this.errno = cause.errno();
    }

    /** A file server that fails now may not do so when the service manager tries again. */
    UserException toUser(String source) {
      String message = "source " + source + ": " + getMessage();
      return switch (errno) {
        case EACCES, EPERM, ELOOP ->
            UserException.usage(
                message,
                "let the agent look at the path, or name a directory, and give the glob as its"
                    + " 'include'");
        default ->
            UserException.failed(
                message,
                "try again when the file system works; or name a directory, and give the glob as"
                    + " its 'include'",
                this);
      };
    }
  }
}
