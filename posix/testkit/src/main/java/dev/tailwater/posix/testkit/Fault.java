package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;

/** What becomes of a call. */
public sealed interface Fault {
  /** It is made as if nothing were there. */
  Proceed PROCEED = new Proceed();

  /** It is made. */
  record Proceed() implements Fault {}

  /**
   * It is not made and fails. Only {@code close} is made all the same, since Linux frees the
   * descriptor whatever it returns.
   */
  record Fail(Errno errno) implements Fault {}

  /**
   * {@code pread}, {@code preadv2}, {@code preadCritical}, {@code pwrite}, {@code pwritev2} and
   * {@code copyFileRange} transfer at most that many bytes, at least 1, since 0 means the end of
   * the file; other calls are just made.
   */
  record Shorten(int maxBytes) implements Fault {
    public Shorten {
      requirePositive(maxBytes);
    }
  }

  /** It is made that much later. */
  record Delay(long millis) implements Fault {}

  /** The process dies before the call has any effect. */
  record CrashBefore() implements Fault {}

  /** The process dies when the call is done and before its caller knows. */
  record CrashAfter() implements Fault {}

  /** As {@link Shorten}, and then the process dies: a torn write. */
  record CrashWithin(int maxBytes) implements Fault {
    public CrashWithin {
      requirePositive(maxBytes);
    }
  }

  private static void requirePositive(int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("at least 1 byte, not " + maxBytes);
    }
  }
}
