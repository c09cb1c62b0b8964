package dev.tailwater.cli.host;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Set;

/**
 * A path as a user writes it: as {@code ls} prints it, with {@code \\xNN} for bytes that are no
 * text, or unescaped. If it could be either, the file that exists is meant; if both exist, the
 * escaped one.
 */
public final class PathArgument {
  private final Surroundings surroundings;
  private final FileCalls calls;

  public PathArgument(Surroundings surroundings, FileCalls calls) {
    this.surroundings = surroundings;
    this.calls = calls;
  }

  /** Returns the absolute path. */
  public PosixPath absolute(String text) {
    PosixPath plain = PosixPath.of(surroundings.absolute(text));
    if (text.indexOf('\\') < 0) {
      return plain;
    }
    PosixPath escaped =
        PosixPath.of(surroundings.workingDirectory()).resolve(EscapedPath.parse(text)).normalized();
    return !isAbsent(calls, plain) && isAbsent(calls, escaped) ? plain : escaped;
  }

  /** Whether there is nothing at a path; false where that cannot be told. */
  public static boolean isAbsent(FileCalls calls, PosixPath path) {
    try {
      var _ = calls.statx(FileCalls.AT_FDCWD, path, Set.of());
      return false;
    } catch (ErrnoException e) {
      return e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR;
    }
  }

  /**
   * Whether there is anything at a path.
   *
   * @throws ErrnoException that cannot be told: EACCES, ELOOP, EIO and others
   */
  public static boolean exists(FileCalls calls, PosixPath path) throws ErrnoException {
    try {
      var _ = calls.statx(FileCalls.AT_FDCWD, path, Set.of());
      return true;
    } catch (ErrnoException e) {
      return switch (e.errno()) {
        case ENOENT, ENOTDIR, ENAMETOOLONG -> false; // No file can have a longer name.
        default -> throw e;
      };
    }
  }
}
