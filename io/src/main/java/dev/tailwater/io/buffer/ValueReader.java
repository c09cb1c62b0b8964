package dev.tailwater.io.buffer;

import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Reads numbers one after the other from any {@link ByteSource}, through a buffer of the caller's.
 *
 * <pre>{@code
 * try (PooledBuffer buffer = pool.acquire("sum", 256 << 10)) {
 *   ValueReader values =
 *       new ValueReader(ByteSources.of(descriptor, 0), LITTLE_ENDIAN, buffer.segment());
 *   long sum = 0;
 *   while (values.hasNext()) {
 *     sum += values.nextInt();
 *   }
 * }
 * }</pre>
 *
 * <p>Kinds may be mixed, values need no alignment, and may lie across the places where the buffer
 * is filled anew. {@code nextInt} and its like are compiled into the caller's loop; {@code
 * forEachInt} and its like keep even the position in a register; {@code read} copies into an array
 * as fast as memory allows, and turns the bytes round on the way where the order is foreign.
 *
 * <p>The buffer is filled by as few reads as there can be, so its size decides how many system
 * calls there are; beyond 256 KiB that makes no more difference. Not thread-safe.
 */
public final class ValueReader {
  private static final int MIN_BUFFER_BYTES = Long.BYTES;

  /** Half of the smallest first-level cache: source and target of the copy both stay in it. */
  private static final int CHUNK_BYTES = 8 << 10;

  // Constants, so that an access is a single instruction.
  private static final VarHandle BIG_INT = byteArrayViewVarHandle(int[].class, BIG_ENDIAN);
  private static final VarHandle LITTLE_INT = byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
  private static final VarHandle BIG_LONG = byteArrayViewVarHandle(long[].class, BIG_ENDIAN);
  private static final VarHandle LITTLE_LONG = byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);

  private final ByteWindow window;
  private final boolean big;
  private final ByteOrder order;

  /**
   * The next bytes of the window, for one value after the other: an array needs no check of its
   * owner and its life at each access, which costs more than to copy the bytes.
   */
  private final byte[] chunk = new byte[CHUNK_BYTES];

  /**
   * Where in the chunk the next value starts. The bytes always end with the chunk, so that this is
   * all that changes from value to value.
   */
  private int at = CHUNK_BYTES;

  /**
   * Creates a reader. It does not close the source.
   *
   * @param buffer memory that the source can read into, at least 8 bytes; used until the last call
   * @throws IllegalArgumentException when the buffer is too small or read-only
   */
  public ValueReader(ByteSource source, ByteOrder order, MemorySegment buffer) {
    this(new ByteWindow(source, buffer), order);
    if (buffer.byteSize() < MIN_BUFFER_BYTES) {
      throw new IllegalArgumentException(
          "a buffer of %d bytes; at least %d".formatted(buffer.byteSize(), MIN_BUFFER_BYTES));
    }
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a read-only buffer, which nothing can be read into");
    }
  }

  private ValueReader(ByteWindow window, ByteOrder order) {
    this.window = window;
    this.order = order;
    this.big = order.equals(BIG_ENDIAN);
  }

  /** Reads data that is in memory already; it may be read-only. */
  public static ValueReader over(MemorySegment data, ByteOrder order) {
    return new ValueReader(new ByteWindow(data), order);
  }

  /** Bytes from the start of the data to the next value. */
  public long positionBytes() {
    return window.positionBytes() - (CHUNK_BYTES - at);
  }

  /**
   * Whether there is more, for which it waits: a value, or the start of one that is truncated.
   *
   * @throws IOException as the source
   */
  public boolean hasNext() throws IOException {
    return at < CHUNK_BYTES || window.hasNext();
  }

  /**
   * Passes over bytes, by reading them.
   *
   * @param bytes at least 0
   * @return how many were passed over: fewer only when the data ended
   */
  public long skip(long bytes) throws IOException {
    if (bytes < 0) {
      throw new IllegalArgumentException("skip of " + bytes + " bytes");
    }
    dropChunk();
    long left = bytes;
    while (left > 0 && window.hasNext()) {
      long step = Math.min(left, window.limit - window.at);
      window.at += step;
      left -= step;
    }
    return bytes - left;
  }

  /** The window is at the next value again. */
  private void dropChunk() {
    window.at -= CHUNK_BYTES - at;
    at = CHUNK_BYTES;
  }

  /** Fills the chunk, with at least one value; returns where that is, which spares a load. */
  private int loadChunk(int valueBytes) throws IOException {
    dropChunk();
    window.require(valueBytes);
    int bytes = (int) Math.min(CHUNK_BYTES, window.limit - window.at);
    int start = CHUNK_BYTES - bytes;
    MemorySegment.copy(window.buffer, ValueLayout.JAVA_BYTE, window.at, chunk, start, bytes);
    window.at += bytes;
    at = start;
    return start;
  }

  /**
   * The next 4 bytes.
   *
   * @throws EOFException when there is nothing more
   * @throws TruncatedValueException when there are fewer bytes; the position stays
   * @throws IOException as the source
   */
  public int nextInt() throws IOException {
    int index = at;
    if (index > CHUNK_BYTES - Integer.BYTES) {
      index = loadChunk(Integer.BYTES);
    }
    at = index + Integer.BYTES;
    return big ? (int) BIG_INT.get(chunk, index) : (int) LITTLE_INT.get(chunk, index);
  }

  /** The next 8 bytes; fails as {@link #nextInt}. */
  public long nextLong() throws IOException {
    int index = at;
    if (index > CHUNK_BYTES - Long.BYTES) {
      index = loadChunk(Long.BYTES);
    }
    at = index + Long.BYTES;
    return big ? (long) BIG_LONG.get(chunk, index) : (long) LITTLE_LONG.get(chunk, index);
  }

  /** The next 4 bytes as IEEE 754; every bit pattern stays as it is. Fails as {@link #nextInt}. */
  public float nextFloat() throws IOException {
    return Float.intBitsToFloat(nextInt());
  }

  /** The next 8 bytes as IEEE 754; every bit pattern stays as it is. Fails as {@link #nextInt}. */
  public double nextDouble() throws IOException {
    return Double.longBitsToDouble(nextLong());
  }

  /**
   * Reads many at once.
   *
   * @param from index in {@code target} of the first
   * @return how many were read: {@code count}, or fewer when the data ended; 0 at the end
   * @throws TruncatedValueException when only a part of one value is left; what precedes it comes
   *     out by the call before
   * @throws IOException as the source
   */
  public int read(int[] target, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, target.length);
    return read(ValueLayout.JAVA_INT_UNALIGNED, target, from, count);
  }

  /** Reads many at once; as {@link #read(int[], int, int)}. */
  public int read(long[] target, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, target.length);
    return read(ValueLayout.JAVA_LONG_UNALIGNED, target, from, count);
  }

  /** Reads many at once; as {@link #read(int[], int, int)}. */
  public int read(float[] target, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, target.length);
    return read(ValueLayout.JAVA_FLOAT_UNALIGNED, target, from, count);
  }

  /** Reads many at once; as {@link #read(int[], int, int)}. */
  public int read(double[] target, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, target.length);
    return read(ValueLayout.JAVA_DOUBLE_UNALIGNED, target, from, count);
  }

  /**
   * @param target an array of the layout's type, which has that range
   */
  private int read(ValueLayout values, Object target, int from, int count) throws IOException {
    dropChunk();
    ValueLayout layout = values.withOrder(order);
    int valueBytes = (int) layout.byteSize();
    int done = 0;
    while (done < count) {
      int step = available(valueBytes, count - done, done == 0);
      if (step == 0) {
        break;
      }
      MemorySegment.copy(window.buffer, layout, window.at, target, from + done, step);
      window.at += (long) step * valueBytes;
      done += step;
    }
    return done;
  }

  /** How many whole values are in memory, or can be; 0 when the data ended. */
  private int available(int valueBytes, int wanted, boolean first) throws IOException {
    if (window.limit - window.at < valueBytes) {
      if (!window.hasNext()) {
        return 0;
      }
      try {
        window.require(valueBytes);
      } catch (TruncatedValueException e) {
        if (first) {
          throw e;
        }
        return 0;
      }
    }
    return (int) Math.min(wanted, (window.limit - window.at) / valueBytes);
  }

  /**
   * Hands all that are left to the consumer. When that throws, the position is behind the value
   * that it got last. The consumer does not use this reader.
   *
   * @throws TruncatedValueException when the data ends within a value, after all before it
   * @throws IOException as the source
   */
  public void forEachInt(IntConsumer consumer) throws IOException {
    while (hasNext()) {
      if (at > CHUNK_BYTES - Integer.BYTES) {
        loadChunk(Integer.BYTES);
      }
      int index = at;
      int end = CHUNK_BYTES - Integer.BYTES;
      try {
        while (index <= end) {
          int value = big ? (int) BIG_INT.get(chunk, index) : (int) LITTLE_INT.get(chunk, index);
          index += Integer.BYTES;
          consumer.accept(value);
        }
      } finally {
        at = index;
      }
    }
  }

  /** As {@link #forEachInt}. */
  public void forEachLong(LongConsumer consumer) throws IOException {
    while (hasNext()) {
      if (at > CHUNK_BYTES - Long.BYTES) {
        loadChunk(Long.BYTES);
      }
      int index = at;
      int end = CHUNK_BYTES - Long.BYTES;
      try {
        while (index <= end) {
          long value =
              big ? (long) BIG_LONG.get(chunk, index) : (long) LITTLE_LONG.get(chunk, index);
          index += Long.BYTES;
          consumer.accept(value);
        }
      } finally {
        at = index;
      }
    }
  }

  /** As {@link #forEachInt}. */
  public void forEachDouble(DoubleConsumer consumer) throws IOException {
    while (hasNext()) {
      if (at > CHUNK_BYTES - Double.BYTES) {
        loadChunk(Double.BYTES);
      }
      int index = at;
      int end = CHUNK_BYTES - Double.BYTES;
      try {
        while (index <= end) {
          long value =
              big ? (long) BIG_LONG.get(chunk, index) : (long) LITTLE_LONG.get(chunk, index);
          index += Double.BYTES;
          consumer.accept(Double.longBitsToDouble(value));
        }
      } finally {
        at = index;
      }
    }
  }
}
