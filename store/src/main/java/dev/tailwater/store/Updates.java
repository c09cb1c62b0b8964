package dev.tailwater.store;

import dev.tailwater.store.Update.Decision;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The updates behind the conditional operations of {@link KeyValueStore}. */
final class Updates {
  /** The longest decimal text of a long. */
  private static final int MAX_NUMBER_BYTES = 20;

  private Updates() {}

  static Update putAt(long expectedVersion, byte[] value) {
    byte[] copy = value.clone();
    return current -> {
      Limits.checkValue(copy);
      return hasVersion(current, expectedVersion) ? put(copy) : new Decision.Keep();
    };
  }

  static Update removeAt(long expectedVersion) {
    return current ->
        current.isPresent() && hasVersion(current, expectedVersion)
            ? new Decision.Remove()
            : new Decision.Keep();
  }

  static Update remove() {
    return current -> current.isPresent() ? new Decision.Remove() : new Decision.Keep();
  }

  static Update append(byte[] suffix) {
    byte[] copy = suffix.clone();
    return current -> {
      byte[] value = current.map(Entry::value).orElse(new byte[0]);
      Limits.check("value", (long) value.length + copy.length, Limits.MAX_VALUE_BYTES);
      byte[] joined = Arrays.copyOf(value, value.length + copy.length);
      System.arraycopy(copy, 0, joined, value.length, copy.length);
      return new Decision.Replace(joined);
    };
  }

  private static Decision put(byte[] value) {
    return new Decision.Put(value);
  }

  private static boolean hasVersion(Optional<Entry> current, long version) {
    return current.map(Entry::version).orElse(0L) == version;
  }

  /** Adds to a number; keeps the last sum. */
  static final class Increment implements Update {
    private final long delta;
    private volatile long sum;

    Increment(long delta) {
      this.delta = delta;
    }

    /** Valid when the update has returned. */
    long sum() {
      return sum;
    }

    @Override
    public Decision decide(Optional<Entry> current) {
      long old = current.map(entry -> number(entry.value())).orElse(0L);
      try {
        long next = Math.addExact(old, delta);
        sum = next;
        return new Decision.Replace(Long.toString(next).getBytes(StandardCharsets.US_ASCII));
      } catch (ArithmeticException overflow) {
        throw new NotANumberException(old + " and " + delta + " are too much for 64 bits");
      }
    }

    private static long number(byte[] value) {
      if (value.length <= MAX_NUMBER_BYTES) {
        try {
          return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
        } catch (NumberFormatException notANumber) {
          // said below
        }
      }
      throw new NotANumberException(
          "the value of this key, of " + value.length + " bytes, is no decimal number");
    }
  }
}
