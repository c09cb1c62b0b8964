package dev.tailwater.store.datafile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limit of open files of the process, from proc(5): {@code /proc/self/limits}. */
final class OpenFileLimit {
  private static final int LEAST = 16;
  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");

  private OpenFileLimit() {}

  /**
   * Returns how many of them may be data files, so that as many are left for everything else.
   *
   * @param most upper bound of the result
   */
  static int forDataFiles(int most) {
    try {
      Matcher matcher = SOFT_LIMIT.matcher(Files.readString(Path.of("/proc/self/limits")));
      if (matcher.find() && !matcher.group(1).equals("unlimited")) {
        long half = Long.parseLong(matcher.group(1)) / 2;
        return Math.clamp(half, LEAST, most);
      }
    } catch (IOException noProc) {
      return most; // creating a file says when there are too many
    }
    return most;
  }
}
