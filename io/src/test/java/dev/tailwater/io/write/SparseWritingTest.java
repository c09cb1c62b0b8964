package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks of zeros that are not written, and files that are not asked about. */
class SparseWritingTest {
  private static final int WINDOW = 64 * 1024;
  private static final int BLOCK = 4096;
  private static final BlockWriterOptions SPARSE =
      BlockWriterOptions.defaults()
          .withWriteBytes(WINDOW)
          .withBlockBytes(BLOCK)
          .with(WriteTrait.SPARSE);

  @TempDir private Path directory;

  private WriteHarness harness() throws IOException {
    return WriteHarness.of(directory.resolve("file"));
  }

  private static List<String> ranges(WriteHarness harness) {
    return harness.writes.stream().map(w -> w.offsetBytes() + "-" + w.endBytes()).toList();
  }

  private static byte[] withZeros(int lengthBytes, int from, int to) {
    byte[] bytes = new byte[lengthBytes];
    Arrays.fill(bytes, (byte) 'x');
    Arrays.fill(bytes, from, to, (byte) 0);
    return bytes;
  }

  @Test
  void writesAroundWholeBlocksOfZeros() throws IOException {
    byte[] expected = withZeros(100_000, 5000, 30_000);
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(0, SPARSE)) {
        writer.write(expected, 0, expected.length);
      }
      assertEquals(List.of("0-8192", "28672-65536", "65536-100000"), ranges(harness));
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void writesPartialBlocksOfZeros() throws IOException {
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(1000, SPARSE)) {
        writer.write(new byte[20_000], 0, 20_000);
        assertEquals(21_000, writer.writtenOffsetBytes());
      }
      assertEquals(List.of("1000-4096", "20480-21000"), ranges(harness));
      assertArrayEquals(new byte[21_000], Files.readAllBytes(harness.path));
    }
  }

  @Test
  void leavesTheSizeToTheCallerWhenTheLastBlockIsAHole() throws IOException {
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(0, SPARSE)) {
        writer.write(withZeros(3 * BLOCK, BLOCK, 3 * BLOCK), 0, 3 * BLOCK);
        writer.flush();
        assertEquals(3 * BLOCK, writer.flushedOffsetBytes());
      }
      assertEquals(BLOCK, Files.size(harness.path));
      harness.faulty.calls().truncate(harness.file.fd(), 3 * BLOCK);
      assertArrayEquals(withZeros(3 * BLOCK, BLOCK, 3 * BLOCK), Files.readAllBytes(harness.path));
    }
  }

  @Test
  void overwritesWithZerosWhatTheWriterItselfWrote() throws IOException {
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(0, SPARSE)) {
        writer.write(withZeros(3 * BLOCK, 0, 0), 0, 3 * BLOCK);
        writer.seek(BLOCK);
        writer.write(new byte[BLOCK], 0, BLOCK);
      }
      assertArrayEquals(withZeros(3 * BLOCK, BLOCK, 2 * BLOCK), Files.readAllBytes(harness.path));
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void writesEveryBlockWithDataOnceAndNoOther(long seed) throws IOException {
    Random random = new Random(seed);
    int start = random.nextBoolean() ? 0 : random.nextInt(3 * BLOCK);
    byte[] expected = new byte[random.nextInt(1, 4 * WINDOW)];
    for (int i = random.nextInt(8); i > 0; i--) {
      int from = random.nextInt(expected.length);
      int to = Math.min(expected.length, from + random.nextInt(1, 3 * BLOCK));
      Arrays.fill(expected, from, to, (byte) 1);
    }
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(start, SPARSE)) {
        for (int at = 0; at < expected.length; ) {
          int length = Math.min(random.nextInt(1, 2 * WINDOW), expected.length - at);
          writer.write(expected, at, length);
          at += length;
        }
      }
      int end = start + expected.length;
      harness.faulty.calls().truncate(harness.file.fd(), end);
      byte[] file = Files.readAllBytes(harness.path);
      assertArrayEquals(expected, Arrays.copyOfRange(file, start, end), "seed " + seed);
      assertEquals(blocksToWrite(file, start), blocksWritten(harness, end), "seed " + seed);
    }
  }

  /** Those that are not whole, or not zero. */
  private static List<Integer> blocksToWrite(byte[] file, int start) {
    return IntStream.range(start / BLOCK, (file.length + BLOCK - 1) / BLOCK)
        .filter(
            block -> {
              int from = block * BLOCK;
              boolean whole = from >= start && from + BLOCK <= file.length;
              return !whole
                  || Arrays.mismatch(Arrays.copyOfRange(file, from, from + BLOCK), new byte[BLOCK])
                      >= 0;
            })
        .boxed()
        .toList();
  }

  private static List<Integer> blocksWritten(WriteHarness harness, int end) {
    return harness.writes.stream()
        .flatMap(
            write -> {
              assertTrue(write.endBytes() <= end);
              return LongStream.rangeClosed(
                      write.offsetBytes() / BLOCK, (write.endBytes() - 1) / BLOCK)
                  .boxed();
            })
        .map(Long::intValue)
        .toList();
  }

  @Test
  void asksNothingAboutAFileThatTheCallerKnows() throws IOException {
    BlockWriterOptions options = SPARSE.with(WriteTrait.KNOWN_FILE);
    try (WriteHarness harness = harness()) {
      long before = harness.faulty.callCount();
      try (BlockWriter writer = harness.writer(0, options)) {
        writer.write(withZeros(WINDOW, 0, 0), 0, WINDOW);
      }
      assertEquals(1, harness.faulty.callCount() - before, "one pwrite");
    }
  }

  @Test
  void writesAroundThePageCacheToAFileThatTheCallerKnows() throws IOException {
    byte[] expected = WriteHarness.bytes(1, 3 * WINDOW + 5);
    try (WriteHarness harness =
        new WriteHarness(directory.resolve("file"), FaultPlan.none(), new OpenFlag[0])) {
      try (BlockWriter writer =
          harness.writer(
              0, SPARSE.with(WriteTrait.KNOWN_FILE, WriteTrait.DIRECT, WriteTrait.DROP_BEHIND))) {
        writer.write(expected, 0, expected.length);
        writer.sync();
      }
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void goesOnToTheLastOffsetsThatAFileCanHave() throws IOException {
    long start = (Long.MAX_VALUE - (1L << 40)) & -WINDOW;
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(start, SPARSE)) {
      writer.write(new byte[3 * WINDOW], 0, 3 * WINDOW);
      assertEquals(start + 3 * WINDOW, writer.flushedOffsetBytes());
    }
  }
}
