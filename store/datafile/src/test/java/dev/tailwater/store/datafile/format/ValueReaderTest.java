package dev.tailwater.store.datafile.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A value comes out of memory only if the record is whole, at its place, and of the key. */
class ValueReaderTest {
  private static final int MEMORY_BYTES = 4096;
  private static final int FROM = 321;
  private static final long SALT = 0x1234_5678_9abc_def0L;
  private static final long OFFSET = 77_777;

  private final ValueReader reader = new ValueReader();
  private final Random random = new Random(1);
  private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES);

  @Test
  void givesTheValueOfEveryLengthOfKeyAndValue() {
    for (int keyBytes = 0; keyBytes <= 40; keyBytes++) {
      for (int valueBytes = 0; valueBytes <= 300; valueBytes += 1 + random.nextInt(9)) {
        RecordData data = plain(keyBytes, valueBytes);
        int length = write(data, 0);
        assertArrayEquals(data.value(), read(length, data.key()));
        assertArrayEquals(data.value(), read(length + random.nextInt(64), data.key()));
      }
    }
  }

  @Test
  void givesTheValueOfARecordInABatchAndOfOneWhoseHashAnotherKeyHas() {
    RecordData data = plain(16, 100);
    int length = write(data, RecordHeader.MORE | RecordHeader.COLLIDES);
    assertArrayEquals(data.value(), read(length, data.key()));
  }

  @Test
  void givesNothingWhenABitIsOtherwise() {
    RecordData data = plain(9, 30);
    int length = write(data, 0);
    for (int bit = 0; bit < length * Byte.SIZE; bit++) {
      flip(bit);
      assertNull(read(length, data.key()), "bit " + bit);
      flip(bit);
    }
    assertArrayEquals(data.value(), read(length, data.key()));
  }

  @Test
  void givesNothingOfAnotherKeyPlaceOrFile() {
    RecordData data = plain(16, 100);
    int length = write(data, 0);
    byte[] other = data.key().clone();
    other[random.nextInt(other.length)]++;
    assertNull(read(length, other));
    assertNull(read(length, Arrays.copyOf(data.key(), 15)));
    assertNull(read(length, Arrays.copyOf(data.key(), 17)));
    assertNull(reader.value(memory, FROM, length, SALT, OFFSET + 1, data.key()));
    assertNull(reader.value(memory, FROM, length, SALT + 1, OFFSET, data.key()));
  }

  @Test
  void leavesWhatHasTagsOrExpiryOrRemovesItsKeyToOthers() {
    byte[] key = bytes(16);
    byte[] value = bytes(50);
    OptionalLong never = OptionalLong.empty();
    assertNull(read(write(RecordData.put(key, value, never, Set.of("tag")), 0), key));
    assertNull(read(write(RecordData.put(key, value, OptionalLong.of(5), Set.of()), 0), key));
    assertNull(read(write(RecordData.remove(key), 0), key));
  }

  @Test
  void givesNothingOfARecordThatGoesOnBehindWhatItMayRead() {
    RecordData data = plain(16, 100);
    int length = write(data, 0);
    for (int shorter = RecordHeader.LENGTH_BYTES; shorter < length; shorter++) {
      assertNull(read(shorter, data.key()));
    }
  }

  @Test
  void givesNothingOfGarbage() {
    byte[] key = bytes(16);
    for (int round = 0; round < 20_000; round++) {
      byte[] garbage = bytes(200);
      if (round % 2 == 0) {
        // Lengths that nearly fit.
        garbage[16] = (byte) random.nextInt();
        garbage[17] = garbage[18] = garbage[19] = (byte) (random.nextInt(4) - 2);
        garbage[20] = 16;
        garbage[21] = garbage[22] = garbage[23] = 0;
      }
      put(FROM, garbage);
      assertNull(read(RecordHeader.LENGTH_BYTES + random.nextInt(177), key));
    }
  }

  private RecordData plain(int keyBytes, int valueBytes) {
    return RecordData.put(bytes(keyBytes), bytes(valueBytes), OptionalLong.empty(), Set.of());
  }

  /** Also around it there is something. Returns the record's length. */
  private int write(RecordData data, int moreFlags) {
    put(0, bytes(MEMORY_BYTES));
    RecordEncoder encoder = new RecordEncoder();
    encoder.encode(data, moreFlags, 1 + random.nextInt(1000), SALT, OFFSET);
    int at = FROM;
    at = put(at, Arrays.copyOf(encoder.head(), encoder.headBytes()));
    at = put(at, data.key());
    at = put(at, data.tags());
    return put(at, data.value()) - FROM;
  }

  private int put(int at, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
    return at + bytes.length;
  }

  private void flip(int bit) {
    int at = FROM + bit / Byte.SIZE;
    byte flipped = (byte) (memory.get(ValueLayout.JAVA_BYTE, at) ^ 1 << bit % Byte.SIZE);
    memory.set(ValueLayout.JAVA_BYTE, at, flipped);
  }

  private byte @Nullable [] read(int maxLengthBytes, byte[] key) {
    return reader.value(memory, FROM, maxLengthBytes, SALT, OFFSET, key);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
