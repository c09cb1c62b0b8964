package dev.tailwater.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many files the process may have open, from proc(5): {@code /proc/self/limits}. */
final class OpenFileLimit {
  /** For the JVM's own jars and libraries, the store, the watch, deliveries under way. */
  private static final int RESERVED = 128;

  private static final int LEAST = 16;
  private static final int MOST = 1 << 20;
  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");

  private OpenFileLimit() {}

  /** How many of them may be tails. */
  static int forTails() throws IOException {
    Matcher matcher = SOFT_LIMIT.matcher(Files.readString(Path.of("/proc/self/limits")));
    if (!matcher.find() || matcher.group(1).equals("unlimited")) {
      return MOST;
    }
    return Math.clamp(Long.parseLong(matcher.group(1)) - RESERVED, LEAST, MOST);
  }
}
