package dev.tailwater.cli.host;

import dev.tailwater.io.PseudoFileSystem;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.OpenFlag;
import java.util.Optional;
import java.util.Set;

/** What is at the path of a source, and has no bytes that could be shipped. */
public enum UnfitSource {
  SPECIAL("is neither a file nor a directory", "name files or directories"),
  MADE_UP(
      "is made up by the kernel while it is read, and has no bytes that stay",
      "copy what you want to keep to a file on a disk, and ship that");

  private final String text;
  private final String hint;

  UnfitSource(String text, String hint) {
    this.text = text;
    this.hint = hint;
  }

  /** Returns what is unfit at a path; empty if it is fit, or if that cannot be told. */
  public static Optional<UnfitSource> at(FileCalls calls, PosixPath path) {
    try {
      int fd = calls.open(FileCalls.AT_FDCWD, path, Set.of(OpenFlag.PATH), 0);
      try {
        return of(calls, fd);
      } finally {
        calls.close(fd);
      }
    } catch (ErrnoException e) {
      return Optional.empty(); // It may be temporary, and the agent reports it.
    }
  }

  private static Optional<UnfitSource> of(FileCalls calls, int fd) throws ErrnoException {
    EntryType type = calls.fstat(fd).type();
    if (type != EntryType.REGULAR && type != EntryType.DIRECTORY) {
      return Optional.of(SPECIAL);
    }
    return PseudoFileSystem.holds(calls.statfs(fd).type())
        ? Optional.of(MADE_UP)
        : Optional.empty();
  }

  /** Returns what goes on after the path in a message. */
  public String text() {
    return text;
  }

  /** Returns what to do instead. */
  public String hint() {
    return hint;
  }
}
