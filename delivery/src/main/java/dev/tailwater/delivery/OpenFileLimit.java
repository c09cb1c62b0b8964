package dev.tailwater.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How many files the process may have open, from proc(5): {@code /proc/self/limits}. What it has
 * open already, and what it needs for itself, is not for tails.
 */
final class OpenFileLimit {
  /**
   * For the store, the watch, deliveries under way, hooks, notices, whoever asks for the status.
   */
  private static final int RESERVED = 128;

  /** Where the limit is so low that all of that has no room. */
  private static final int LEAST_PART = 4;

  private static final int LEAST = 4;
  private static final int MOST = 1 << 20;
  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");

  private OpenFileLimit() {}

  /** How many of them may be tails. */
  static int forTails() throws IOException {
    Matcher matcher = SOFT_LIMIT.matcher(Files.readString(Path.of("/proc/self/limits")));
    if (!matcher.find() || matcher.group(1).equals("unlimited")) {
      return MOST;
    }
    return forTails(Long.parseLong(matcher.group(1)), openNow());
  }

  static int forTails(long limit, long openNow) {
    long free = Math.max(0, limit - openNow);
    return Math.clamp(Math.max(free - RESERVED, free / LEAST_PART), LEAST, MOST);
  }

  private static long openNow() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    }
  }
}
