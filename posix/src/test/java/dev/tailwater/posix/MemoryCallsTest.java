package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** memcpy only: the streaming engines come with io, and are tested there. */
class MemoryCallsTest {
  private static final int[] SIZES = {
    0, 1, 63, 64, 4096, MemoryCalls.MAX_CRITICAL_BYTES, 3 * MemoryCalls.MAX_CRITICAL_BYTES + 1
  };

  private final MemoryCalls calls = LinuxMemoryCalls.create(CopyEngine.MEMCPY);

  @Test
  void copiesBetweenHeapAndNativeMemoryInEveryDirection() {
    try (Arena arena = Arena.ofConfined()) {
      for (int size : SIZES) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        MemorySegment first = arena.allocate(size);
        MemorySegment second = arena.allocate(size);
        byte[] back = new byte[size];
        calls.copy(MemorySegment.ofArray(bytes), first);
        calls.copyStreaming(first, second);
        calls.copy(second, MemorySegment.ofArray(back));
        assertArrayEquals(bytes, back);
        byte[] other = new byte[size];
        calls.copyStreaming(MemorySegment.ofArray(back), MemorySegment.ofArray(other));
        assertArrayEquals(bytes, other);
      }
    }
  }

  @Test
  void differentSizesAndReadOnlyTargetsAreRefused() {
    MemorySegment ten = MemorySegment.ofArray(new byte[10]);
    MemorySegment nine = ten.asSlice(0, 9);
    assertThrows(IllegalArgumentException.class, () -> calls.copy(ten, nine));
    assertThrows(IllegalArgumentException.class, () -> calls.copyStreaming(nine, ten));
    MemorySegment readOnly = MemorySegment.ofArray(new byte[10]).asReadOnly();
    assertThrows(IllegalArgumentException.class, () -> calls.copy(ten, readOnly));
    calls.copy(readOnly, ten);
  }

  @Test
  void heapArraysOfOtherTypesAreBytesToo() {
    long[] longs = {1, 2, 3};
    int[] ints = new int[6];
    calls.copy(MemorySegment.ofArray(longs), MemorySegment.ofArray(ints));
    assertEquals(2, MemorySegment.ofArray(ints).get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
  }

  @Test
  void thereIsAlwaysMemcpyAndItSaysWhyItIsUsed() {
    assertEquals(CopyEngine.MEMCPY, LinuxMemoryCalls.engines().getLast());
    assertEquals(CopyEngine.MEMCPY, calls.engine());
    assertEquals("asked for", calls.engineReason());
    MemoryCalls best = LinuxMemoryCalls.create();
    assertEquals(LinuxMemoryCalls.engines().getFirst(), best.engine());
    assertFalse(best.engineReason().isEmpty());
  }

  @Test
  void anEngineThatThisProcessorDoesNotHaveIsRefused() {
    CopyEngine foreign =
        Platform.current() == Platform.X86_64 ? CopyEngine.STNP : CopyEngine.AVX512;
    assertThrows(IllegalArgumentException.class, () -> LinuxMemoryCalls.create(foreign));
  }
}
