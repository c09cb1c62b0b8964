package dev.tailwater.io.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is read in whatever way equals what a ByteBuffer of all the data gives. */
class ValueReaderPropertyTest {
  private static final int ROUNDS = 400;
  private static final int MAX_DATA_BYTES = 3000;

  @Test
  void readsWhatAByteBufferReadsHoweverTheBytesComeAndTheCallsAreMixed() throws IOException {
    long seed = System.nanoTime();
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(seed + round);
      try (Arena arena = Arena.ofConfined()) {
        check(random, arena);
      } catch (IOException | AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + (seed + round), e);
      }
    }
  }

  private static void check(Random random, Arena arena) throws IOException {
    byte[] data = new byte[random.nextInt(MAX_DATA_BYTES)];
    random.nextBytes(data);
    ByteOrder order = random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    ByteBuffer expected = ByteBuffer.wrap(data).order(order);
    ValueReader values = reader(random, arena, data, order);
    while (expected.hasRemaining()) {
      assertTrue(values.hasNext());
      int at = expected.position();
      int kind = random.nextInt(12);
      if (!step(kind, random, expected, values)) {
        // Nothing was read of a value that is cut off, so that its bytes can be passed over.
        assertEquals(at, values.positionBytes());
        assertEquals(expected.remaining(), values.skip(100));
        expected.position(expected.limit());
      }
      assertEquals(expected.position(), values.positionBytes());
    }
    assertFalse(values.hasNext());
    assertEquals(0, values.read(new int[3], 0, 3));
    values.forEachLong(_ -> assertTrue(false, "there is nothing more"));
    assertThrows(EOFException.class, values::nextInt);
    assertEquals(0, values.skip(1));
    assertEquals(data.length, values.positionBytes());
  }

  /** One call; false when the value is truncated, and it says so. */
  private static boolean step(int kind, Random random, ByteBuffer expected, ValueReader values)
      throws IOException {
    int valueBytes = kind % 2 == 0 ? Integer.BYTES : Long.BYTES;
    int left = expected.remaining();
    if (kind == 10) {
      int bytes = random.nextInt(40);
      assertEquals(Math.min(bytes, left), values.skip(bytes));
      expected.position(expected.position() + Math.min(bytes, left));
      return true;
    }
    int asked = 1 + random.nextInt(50);
    int count = Math.min(asked, left / valueBytes);
    if (count == 0) {
      TruncatedValueException failure =
          assertThrows(TruncatedValueException.class, () -> truncated(kind, values));
      assertEquals(expected.position(), failure.offsetBytes());
      assertEquals(left, failure.leftBytes());
      return false;
    }
    switch (kind) {
      case 0 -> assertEquals(expected.getInt(), values.nextInt());
      case 1 -> assertEquals(expected.getLong(), values.nextLong());
      case 2 -> assertEquals(bits(expected.getFloat()), bits(values.nextFloat()));
      case 3 -> assertEquals(bits(expected.getDouble()), bits(values.nextDouble()));
      case 4 -> {
        int[] target = new int[asked + 2];
        assertEquals(count, values.read(target, 1, asked));
        for (int i = 0; i < count; i++) {
          assertEquals(expected.getInt(), target[1 + i]);
        }
        assertEquals(0, target[0] | target[asked + 1]);
      }
      case 5 -> {
        long[] target = new long[asked];
        assertEquals(count, values.read(target, 0, asked));
        for (int i = 0; i < count; i++) {
          assertEquals(expected.getLong(), target[i]);
        }
      }
      case 6 -> {
        float[] target = new float[asked];
        assertEquals(count, values.read(target, 0, asked));
        for (int i = 0; i < count; i++) {
          assertEquals(bits(expected.getFloat()), bits(target[i]));
        }
      }
      case 7 -> {
        double[] target = new double[asked];
        assertEquals(count, values.read(target, 0, asked));
        for (int i = 0; i < count; i++) {
          assertEquals(bits(expected.getDouble()), bits(target[i]));
        }
      }
      case 8 -> stopping(count, expected, values);
      case 9 -> all(values, expected);
      default -> assertEquals(bits(expected.getDouble()), bits(values.nextDouble()));
    }
    return true;
  }

  private static void truncated(int kind, ValueReader values) throws IOException {
    switch (kind) {
      case 0 -> values.nextInt();
      case 2 -> values.nextFloat();
      case 4 -> values.read(new int[1], 0, 1);
      case 6 -> values.read(new float[1], 0, 1);
      case 8 -> values.forEachInt(_ -> assertTrue(false, "there is no whole value"));
      case 1 -> values.nextLong();
      case 5 -> values.read(new long[1], 0, 1);
      case 7 -> values.read(new double[1], 0, 1);
      case 9 -> values.forEachLong(_ -> assertTrue(false, "there is no whole value"));
      default -> values.nextDouble();
    }
  }

  /** A consumer that throws, after which the position is behind what it got. */
  private static void stopping(int count, ByteBuffer expected, ValueReader values) {
    int end = expected.position() + count * Integer.BYTES;
    assertThrows(
        IllegalStateException.class,
        () ->
            values.forEachInt(
                value -> {
                  assertEquals(expected.getInt(), value);
                  if (expected.position() == end) {
                    throw new IllegalStateException("enough");
                  }
                }));
  }

  private static void all(ValueReader values, ByteBuffer expected) throws IOException {
    try {
      values.forEachDouble(value -> assertEquals(bits(expected.getDouble()), bits(value)));
      assertEquals(0, expected.remaining());
    } catch (TruncatedValueException e) {
      assertEquals(expected.remaining(), e.leftBytes());
    }
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static ValueReader reader(Random random, Arena arena, byte[] data, ByteOrder order) {
    if (random.nextInt(5) == 0) {
      return ValueReader.over(MemorySegment.ofArray(data).asReadOnly(), order);
    }
    int sizeBytes = 8 + random.nextInt(random.nextBoolean() ? 16 : 2000);
    MemorySegment buffer =
        random.nextBoolean()
            ? arena.allocate(sizeBytes)
            : MemorySegment.ofArray(new byte[sizeBytes]);
    int most = 1 + random.nextInt(random.nextBoolean() ? 5 : 3000);
    int[] at = {0};
    return new ValueReader(
        target -> {
          int left = data.length - at[0];
          if (left == 0) {
            return ByteSource.END;
          }
          int count = (int) Math.min(Math.min(left, target.byteSize()), 1 + random.nextInt(most));
          MemorySegment.copy(data, at[0], target, ValueLayout.JAVA_BYTE, 0, count);
          at[0] += count;
          return count;
        },
        order,
        buffer);
  }
}
