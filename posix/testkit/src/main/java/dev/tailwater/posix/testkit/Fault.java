package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;

/** What happens to a call. */
public sealed interface Fault {
  /** Makes the call without a fault. */
  Proceed PROCEED = new Proceed();

  /** The call is made without a fault. */
  record Proceed() implements Fault {}

  /**
   * The call is not made, and fails. Only {@code close} is made nevertheless, because Linux frees
   * the descriptor whatever the result.
   */
  record Fail(Errno errno) implements Fault {}

  /**
   * {@code pread}, {@code preadv2}, {@code preadCritical}, {@code pwrite}, {@code pwritev2} and
   * {@code copyFileRange} transfer at most this many bytes. The limit is at least 1, because 0
   * means the end of the file. Other calls are made unchanged.
   */
  record Shorten(int maxBytes) implements Fault {
    public Shorten {
      requirePositive(maxBytes);
    }
  }

  /** The call is made after a delay. */
  record Delay(long millis) implements Fault {}

  /** The process dies before the call has any effect. */
  record CrashBefore() implements Fault {}

  /** The process dies after the call is done, before its caller sees the result. */
  record CrashAfter() implements Fault {}

  /** The transfer is limited as by {@link Shorten}, and then the process dies: a torn write. */
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
