package dev.tailwater.io.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.tailwater.posix.CopyEngine;
import dev.tailwater.posix.LinuxMemoryCalls;
import dev.tailwater.posix.MemoryCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamingCopyTest {
  /** Longer than two critical calls, so that chunks meet. */
  private static final int MAX_BYTES = 2 * MemoryCalls.MAX_CRITICAL_BYTES + 1000;

  private static final int GUARD_BYTES = 256;
  private static final byte GUARD = (byte) 0xA5;

  static List<CopyEngine> engines() {
    return LinuxMemoryCalls.engines();
  }

  private static StreamingCopy with(CopyEngine engine) {
    return StreamingCopy.with(LinuxMemoryCalls.create(engine));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void copiesAnyLengthFromAnyAlignmentToAnyAndTouchesNothingElse(CopyEngine engine) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    StreamingCopy copy = with(engine);
    try (Arena arena = Arena.ofConfined()) {
      int room = MAX_BYTES + 2 * GUARD_BYTES;
      MemorySegment sourceHeap = MemorySegment.ofArray(new byte[room]);
      MemorySegment targetHeap = MemorySegment.ofArray(new byte[room]);
      MemorySegment sourceNative = arena.allocate(room, 64);
      MemorySegment targetNative = arena.allocate(room, 64);
      for (int round = 0; round < 400; round++) {
        MemorySegment source = random.nextBoolean() ? sourceHeap : sourceNative;
        MemorySegment target = random.nextBoolean() ? targetHeap : targetNative;
        int length = length(random);
        int from = random.nextInt(GUARD_BYTES);
        int to = random.nextInt(GUARD_BYTES);
        byte[] expected = new byte[length];
        random.nextBytes(expected);
        MemorySegment.copy(expected, 0, source, ValueLayout.JAVA_BYTE, from, length);
        target.asSlice(0, length + 2L * GUARD_BYTES).fill(GUARD);
        copy.copy(source, from, target, to, length);
        String what = engine + ", seed " + seed + ", round " + round + ", " + length + " bytes";
        assertHolds(expected, target, to, what);
      }
    }
  }

  /** Short, around the threshold, around multiples of a line, around the chunk, long. */
  private static int length(Random random) {
    int around = random.nextInt(260) - 130;
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(1000);
      case 1 -> StreamingCopy.MIN_STREAMED_BYTES + around;
      case 2 -> MemoryCalls.MAX_CRITICAL_BYTES + around;
      case 3 -> 2 * MemoryCalls.MAX_CRITICAL_BYTES + around;
      default -> random.nextInt(MAX_BYTES);
    };
  }

  private static void assertHolds(byte[] expected, MemorySegment target, int to, String what) {
    byte[] before = target.asSlice(0, to).toArray(ValueLayout.JAVA_BYTE);
    byte[] got = target.asSlice(to, expected.length).toArray(ValueLayout.JAVA_BYTE);
    long end = (long) to + expected.length;
    byte[] behind = target.asSlice(end, 2L * GUARD_BYTES - to).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(expected, got, what);
    assertArrayEquals(guard(before.length), before, what + ", before the target");
    assertArrayEquals(guard(behind.length), behind, what + ", behind the target");
  }

  private static byte[] guard(int length) {
    byte[] guard = new byte[length];
    Arrays.fill(guard, GUARD);
    return guard;
  }
}
