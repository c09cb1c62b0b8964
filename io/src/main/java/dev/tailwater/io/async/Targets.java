package dev.tailwater.io.async;

import java.lang.foreign.MemorySegment;

/** What a request must be like before anybody is asked to do it. */
final class Targets {
  /** Nobody's: stands for any thread but the caller's. */
  private static final Thread ANY_OTHER = Thread.ofPlatform().unstarted(() -> {});

  private Targets() {}

  /**
   * Throws what says what is wrong: an IllegalStateException when the target's arena is closed, for
   * anything else an IllegalArgumentException.
   */
  static void check(RandomFile file, long offsetBytes, MemorySegment target) {
    long bytes = target.byteSize();
    if (offsetBytes < 0 || offsetBytes > Long.MAX_VALUE - bytes) {
      throw refusal(file, "offset " + offsetBytes + " is no place in a file");
    }
    if (!target.isNative()) {
      throw refusal(file, "the target is heap memory, which moves; use native memory");
    }
    if (target.isReadOnly()) {
      throw refusal(file, "the target is read-only");
    }
    if (bytes == 0) {
      throw refusal(file, "the target has no bytes");
    }
    if (bytes > Integer.MAX_VALUE) {
      throw refusal(
          file, "a target of " + bytes + " bytes is over 2147483647: read it in several requests");
    }
    if (!target.isAccessibleBy(ANY_OTHER)) {
      throw refusal(
          file,
          "the target is of a confined arena, which only one thread may use; use a shared or"
              + " automatic one, or share() a pooled buffer first");
    }
    if (!target.scope().isAlive()) {
      throw new IllegalStateException(words(file, "the target's arena is closed"));
    }
  }

  private static IllegalArgumentException refusal(RandomFile file, String what) {
    return new IllegalArgumentException(words(file, what));
  }

  private static String words(RandomFile file, String what) {
    return "read of " + file.path() + ": " + what;
  }
}
