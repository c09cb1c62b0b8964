package dev.tailwater.io.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());
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
        String what =
            engine
                + ", repeat with -Dtailwater.seed="
                + seed
                + ", round "
                + round
                + ", "
                + length
                + " bytes";
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

  @Test
  void bytesOfOneArrayMoveBetweenRangesThatOnlyTouch() {
    int half = 3 * StreamingCopy.MIN_STREAMED_BYTES;
    byte[] bytes = new byte[2 * half];
    new Random(1).nextBytes(bytes);
    byte[] expected = Arrays.copyOf(bytes, half);
    StreamingCopy.load().copy(bytes, 0, bytes, half, half);
    assertArrayEquals(expected, Arrays.copyOfRange(bytes, half, 2 * half));
  }

  @Test
  void overlappingRangesAreRefused() {
    StreamingCopy copy = StreamingCopy.load();
    int length = 3 * StreamingCopy.MIN_STREAMED_BYTES;
    byte[] bytes = new byte[2 * length];
    for (int to : new int[] {0, 1, length - 1}) {
      assertThrows(
          IllegalArgumentException.class, () -> copy.copy(bytes, 0, bytes, to, length), "to " + to);
      assertThrows(
          IllegalArgumentException.class,
          () -> copy.copy(bytes, to, bytes, 0, length),
          "from " + to);
      MemorySegment heap = MemorySegment.ofArray(bytes);
      assertThrows(
          IllegalArgumentException.class, () -> copy.copy(heap, to, heap.asReadOnly(), 0, length));
      assertThrows(IllegalArgumentException.class, () -> copy.copy(heap, to, heap, 0, length));
      assertThrows(
          IllegalArgumentException.class, () -> copy.copy(heap.asReadOnly(), to, heap, 0, length));
    }
    copy.copy(bytes, 5, bytes, 5, 0); // nothing overlaps with nothing
  }

  @Test
  void rangesOutsideOfArraysAndSegmentsAreRefusedAndNothingIsCopied() {
    StreamingCopy copy = StreamingCopy.load();
    int length = 2 * StreamingCopy.MIN_STREAMED_BYTES;
    byte[] source = new byte[length];
    Arrays.fill(source, (byte) 1);
    byte[] target = new byte[length];
    int[][] wrong = {
      {-1, 0, 10},
      {0, -1, 10},
      {0, 0, -1},
      {1, 0, length},
      {0, 1, length},
      {Integer.MAX_VALUE, 0, Integer.MAX_VALUE},
      {0, length, 1}
    };
    for (int[] range : wrong) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> copy.copy(source, range[0], target, range[1], range[2]),
          Arrays.toString(range));
      assertThrows(
          IndexOutOfBoundsException.class,
          () ->
              copy.copy(
                  MemorySegment.ofArray(source),
                  range[0],
                  MemorySegment.ofArray(target),
                  range[1],
                  range[2]),
          Arrays.toString(range));
    }
    assertArrayEquals(new byte[length], target);
  }

  @Test
  void segmentsThatCannotBeUsedAreRefused() throws Exception {
    StreamingCopy copy = StreamingCopy.load();
    long length = 2 * StreamingCopy.MIN_STREAMED_BYTES;
    MemorySegment heap = MemorySegment.ofArray(new byte[(int) length]);
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(length);
      try (ExecutorService other = Executors.newSingleThreadExecutor()) {
        Future<?> result = other.submit(() -> copy.copy(closed, heap));
        ExecutionException thrown = assertThrows(ExecutionException.class, result::get);
        assertInstanceOf(WrongThreadException.class, thrown.getCause());
      }
    }
    assertThrows(IllegalStateException.class, () -> copy.copy(closed, heap));
    assertThrows(IllegalStateException.class, () -> copy.copy(heap, closed));
    assertThrows(
        IllegalArgumentException.class,
        () -> copy.copy(MemorySegment.ofArray(new byte[(int) length]), heap.asReadOnly()));
    assertThrows(
        IllegalArgumentException.class,
        () -> copy.copy(MemorySegment.ofArray(new byte[(int) length - 1]), heap));
  }

  @Test
  void aMappedFileThatWasTruncatedGivesAnErrorAndNoCrash(@TempDir Path directory)
      throws IOException {
    Path path = directory.resolve("mapped");
    long length = 4L * 1024 * 1024;
    Files.write(path, new byte[(int) length]);
    byte[] target = new byte[(int) length];
    try (Arena arena = Arena.ofConfined();
        FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, length, arena);
      StreamingCopy copy = StreamingCopy.load();
      copy.copy(mapped, MemorySegment.ofArray(target));
      file.truncate(0);
      assertThrows(InternalError.class, () -> copy.copy(mapped, MemorySegment.ofArray(target)));
    }
  }

  @Test
  void aMappingOfTheFileCallsThatWasTruncatedGivesAnErrorAndNoCrash(@TempDir Path directory)
      throws IOException {
    Path path = directory.resolve("mapped");
    int length = 4 * 1024 * 1024;
    Files.write(path, new byte[length]);
    FileCalls calls = LinuxFileCalls.create();
    try (Arena arena = Arena.ofConfined();
        FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      int fd = calls.open(FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(), 0);
      MemorySegment mapped = calls.map(fd, 0, length, arena);
      calls.close(fd);
      StreamingCopy copy = StreamingCopy.load();
      MemorySegment target = arena.allocate(length);
      copy.copy(mapped, target);
      file.truncate(0);
      assertThrows(InternalError.class, () -> copy.copy(mapped, target));
    }
  }

  @Test
  void threadsCopyAtTheSameTimeWhileTheCollectorRuns() throws Exception {
    StreamingCopy copy = StreamingCopy.load();
    int length = 3 * MemoryCalls.MAX_CRITICAL_BYTES / 2;
    Callable<Void> copies =
        () -> {
          for (int round = 0; round < 40; round++) {
            byte[] source = new byte[length]; // new ones, so that the collector moves them
            new Random(round).nextBytes(source);
            byte[] target = new byte[length + 1];
            copy.copy(source, 0, target, 1, length);
            assertTrue(Arrays.equals(source, 0, length, target, 1, length + 1));
          }
          return null;
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> results = threads.invokeAll(Collections.nCopies(8, copies));
      for (Future<Void> result : results) {
        result.get();
      }
    }
  }

  @Test
  void theEngineIsTheBestThereIsAndSaysWhy() {
    StreamingCopy copy = StreamingCopy.load();
    assertEquals(LinuxMemoryCalls.engines().getFirst(), copy.engine());
    assertFalse(copy.engineReason().isEmpty());
    assertEquals(CopyEngine.MEMCPY, with(CopyEngine.MEMCPY).engine());
  }
}
