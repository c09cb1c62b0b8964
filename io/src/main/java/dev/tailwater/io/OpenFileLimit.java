package dev.tailwater.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limit of open files of this process, from proc(5): {@code /proc/self/limits}. */
public final class OpenFileLimit {
  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");

  private OpenFileLimit() {}

  /** Returns the limit; empty if there is none, or nothing tells it. */
  public static OptionalLong ofProcess() {
    try {
      return of(Files.readString(Path.of("/proc/self/limits")));
    } catch (IOException noProc) {
      return OptionalLong.empty(); // Opening a file says when there are too many.
    }
  }

  /** Returns the limit that the kernel states in this text. */
  static OptionalLong of(String limits) {
    Matcher matcher = SOFT_LIMIT.matcher(limits);
    return matcher.find() && !matcher.group(1).equals("unlimited")
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }
}
