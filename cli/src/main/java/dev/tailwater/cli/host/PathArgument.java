package dev.tailwater.cli.host;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Set;

/**
 * A path as a user writes it: as {@code ls} prints it, with {@code \\xNN} for bytes that are no
 * text, or as it is. Where both could be meant it is the file that exists; of two, the escaped one.
 */
public final class PathArgument {
  private final Surroundings surroundings;
  private final FileCalls calls;

  public PathArgument(Surroundings surroundings, FileCalls calls) {
    this.surroundings = surroundings;
    this.calls = calls;
  }

  /** The path, absolute. */
  public PosixPath absolute(String text) {
    PosixPath plain = PosixPath.of(surroundings.absolute(text));
    if (text.indexOf('\\') < 0) {
      return plain;
    }
    PosixPath escaped =
        PosixPath.of(surroundings.workingDirectory()).resolve(EscapedPath.parse(text)).normalized();
    return exists(calls, plain) && !exists(calls, escaped) ? plain : escaped;
  }

  /** Whether a path leads to anything, as far as that can be told. */
  public static boolean exists(FileCalls calls, PosixPath path) {
    try {
      var _ = calls.statx(FileCalls.AT_FDCWD, path, Set.of());
      return true;
    } catch (ErrnoException e) {
      return false;
    }
  }
}
