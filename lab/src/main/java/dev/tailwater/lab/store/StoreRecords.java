package dev.tailwater.lab.store;

import dev.tailwater.store.BulkPut;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The records with which stores are measured: a key of 16 bytes for each number, in no order, and
 * values of one length that identify their key, so that a wrong one is noticed when it is read.
 *
 * <p>Immutable, so thread-safe.
 */
public final class StoreRecords {
  /** The length of every key. */
  public static final int KEY_BYTES = 16;

  private static final int MIN_VALUE_BYTES = 4 * Long.BYTES;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int valueBytes;

  /**
   * Creates records with values of this length.
   *
   * @param valueBytes at least 32
   */
  public StoreRecords(int valueBytes) {
    if (valueBytes < MIN_VALUE_BYTES) {
      throw new IllegalArgumentException("valueBytes " + valueBytes);
    }
    this.valueBytes = valueBytes;
  }

  /** Returns the length of every value. */
  public int valueBytes() {
    return valueBytes;
  }

  /** Returns the key of a number. */
  public byte[] key(long number) {
    byte[] key = new byte[KEY_BYTES];
    LONG.set(key, 0, mix(number));
    LONG.set(key, Long.BYTES, mix(~number));
    return key;
  }

  /**
   * Returns a value for the key of a number.
   *
   * @param generation distinguishes the values of one key
   */
  public byte[] value(long number, long generation) {
    byte[] value = new byte[valueBytes];
    long word = base(number, generation);
    LONG.set(value, 0, number);
    LONG.set(value, Long.BYTES, generation);
    int at = 2 * Long.BYTES;
    for (; at + Long.BYTES <= valueBytes; at += Long.BYTES) {
      LONG.set(value, at, word + at * GOLDEN);
    }
    Arrays.fill(value, at, valueBytes, (byte) word);
    return value;
  }

  /**
   * Returns whether this is one of the number's values. Checks its length, both of its ends and a
   * word in between that differs from number to number, so that the check costs little compared
   * with a get.
   */
  public boolean isRight(long number, byte[] value) {
    if (value.length != valueBytes || (long) LONG.get(value, 0) != number) {
      return false;
    }
    long word = base(number, (long) LONG.get(value, Long.BYTES));
    int words = valueBytes / Long.BYTES;
    int between = (2 + (int) (number % (words - 2))) * Long.BYTES;
    int last = (words - 1) * Long.BYTES;
    int tail = valueBytes % Long.BYTES;
    return (long) LONG.get(value, between) == word + between * GOLDEN
        && (long) LONG.get(value, last) == word + last * GOLDEN
        && (tail == 0 || value[valueBytes - 1] == (byte) word);
  }

  /**
   * Returns puts of the numbers from 0 up to the count, with generation 0, created when they are
   * asked for.
   */
  public Iterable<BulkPut> puts(long count) {
    return () ->
        new Iterator<>() {
          private long next;

          @Override
          public boolean hasNext() {
            return next < count;
          }

          @Override
          public BulkPut next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            long number = next++;
            return BulkPut.of(key(number), value(number, 0));
          }
        };
  }

  private static long base(long number, long generation) {
    return mix(number ^ Long.rotateLeft(generation, 32));
  }

  /**
   * Maps numbers to numbers one to one, with results that look random (the finalizer of
   * SplitMix64).
   */
  public static long mix(long number) {
    long mixed = (number + GOLDEN) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
