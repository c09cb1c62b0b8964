package dev.tailwater.delivery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How many files the process may keep open for tails: the limit in {@code /proc/self/limits}, see
 * proc(5), less what is open already and what the process needs for itself.
 */
final class OpenFileLimit {
  /**
   * For the store, the watch, deliveries under way, hooks, notices, and clients that ask for the
   * status.
   */
  private static final int RESERVED = 128;

  /** The part that is for tails where the limit is too low for that reserve. */
  private static final int LEAST_PART = 4;

  private static final int LEAST = 4;
  private static final int MOST = 1 << 20;
  private static final Pattern SOFT_LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");

  private OpenFileLimit() {}

  /** Returns how many files may be open for tails. */
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
