package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.io.mount.FileSystemKind;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.mount.NfsMount;
import dev.tailwater.io.write.WriteHarness.KernelWrite;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockWriterTest {
  private static final int WINDOW = 64 * 1024;
  private static final int BLOCK = 4096;
  private static final BlockWriterOptions OPTIONS =
      BlockWriterOptions.defaults().withWriteBytes(WINDOW).withBlockBytes(BLOCK);

  private static final NfsMount NFS = new NfsMount("4.2", 1 << 20, 1 << 20, true, true);

  @TempDir private Path directory;

  private static MountInfo mount(String type, FileSystemKind kind, Optional<NfsMount> nfs) {
    return new MountInfo(
        PosixPath.of("/mnt"), type, "source", List.of(), kind, 1 << 20, false, true, nfs);
  }

  private WriteHarness harness() throws IOException {
    return WriteHarness.of(directory.resolve("file"));
  }

  private static List<String> ranges(WriteHarness harness) {
    return harness.writes.stream().map(w -> w.offsetBytes() + "-" + w.endBytes()).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 2048, 4096, 6144, 8192, 65_536, 100_000, 300_000})
  void handsOverWholeAlignedWindowsWhateverTheSizeOfTheWrites(int chunkBytes) throws IOException {
    byte[] expected = WriteHarness.bytes(1, 300_000);
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(0, OPTIONS)) {
        for (int at = 0; at < expected.length; at += chunkBytes) {
          writer.write(expected, at, Math.min(chunkBytes, expected.length - at));
          assertEquals(Math.min(at + chunkBytes, expected.length), writer.writtenOffsetBytes());
        }
      }
      assertEquals(
          List.of("0-65536", "65536-131072", "131072-196608", "196608-262144", "262144-300000"),
          ranges(harness));
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void firstWriteOfAnUnalignedRunEndsWhereAllOthersBegin() throws IOException {
    try (WriteHarness harness = harness()) {
      Files.write(harness.path, new byte[10_000]);
      byte[] more = WriteHarness.bytes(2, 200_000);
      try (BlockWriter writer = harness.writer(10_000, OPTIONS)) {
        writer.write(MemorySegment.ofArray(more));
      }
      assertEquals(
          List.of("10000-65536", "65536-131072", "131072-196608", "196608-210000"),
          ranges(harness));
      byte[] file = Files.readAllBytes(harness.path);
      assertArrayEquals(new byte[10_000], Arrays.copyOf(file, 10_000));
      assertArrayEquals(more, Arrays.copyOfRange(file, 10_000, file.length));
    }
  }

  @Test
  void partialBlockOfExistingBytesIsAWriteOfItsOwn() throws IOException {
    try (WriteHarness harness = harness()) {
      Files.write(harness.path, new byte[10_001]);
      try (BlockWriter writer = harness.writer(10_000, OPTIONS)) {
        writer.write(new byte[100_000], 0, 100_000);
      }
      assertEquals(List.of("10000-12288", "12288-65536", "65536-110000"), ranges(harness));
    }
  }

  @Test
  void blockThatWasFlushedInPartIsHandedOverWholeTheNextTime() throws IOException {
    byte[] expected = WriteHarness.bytes(3, 20_000);
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      writer.write(expected, 0, 5000);
      writer.flush();
      writer.flush();
      writer.write(expected, 5000, 1);
      writer.flush();
      writer.write(expected, 5001, 14_999);
      writer.flush();
      assertEquals(List.of("0-5000", "4096-5001", "4096-20000"), ranges(harness));
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void neverHandsOverBytesThatWereNotGivenToIt() throws IOException {
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(5000, OPTIONS)) {
      writer.write(new byte[10], 0, 10);
      writer.flush();
      writer.write(new byte[10], 0, 10);
      writer.flush();
      assertEquals(List.of("5000-5010", "5000-5020"), ranges(harness));
    }
  }

  @Test
  void seekBeginsANewRunAndPatchesAnywhere() throws IOException {
    byte[] expected = WriteHarness.bytes(4, 100_000);
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      writer.write(new byte[100], 0, 100);
      writer.write(expected, 100, 99_900);
      writer.seek(100_000);
      assertEquals(0, writer.runStartOffsetBytes());
      writer.seek(0);
      assertEquals(0, writer.writtenOffsetBytes());
      assertEquals(100_000, writer.bytesAtRisk());
      writer.write(expected, 0, 100);
      assertEquals(0, writer.flushedOffsetBytes());
      writer.sync();
      assertEquals(100, writer.durableOffsetBytes());
      assertEquals(0, writer.bytesAtRisk());
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
      assertEquals(1, harness.calls("fdatasync"));
    }
  }

  @Test
  void wholeWindowsOfNativeMemoryGoWithoutACopy() throws IOException {
    byte[] expected = WriteHarness.bytes(5, 3 * WINDOW + 100);
    try (Arena arena = Arena.ofConfined();
        WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      MemorySegment source = arena.allocate(expected.length);
      source.copyFrom(MemorySegment.ofArray(expected));
      writer.write(source);
      assertEquals(3 * WINDOW, writer.flushedOffsetBytes());
      assertEquals(expected.length, writer.writtenOffsetBytes());
      for (int i = 0; i < 3; i++) {
        KernelWrite write = harness.writes.get(i);
        assertEquals(source.address() + (long) i * WINDOW, write.address());
        assertEquals(WINDOW, write.lengthBytes());
      }
      writer.flush();
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void copiesNativeMemoryThatDirectWritesCannotTake() throws IOException {
    byte[] expected = WriteHarness.bytes(12, 2 * WINDOW + 1);
    try (Arena arena = Arena.ofConfined();
        WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS.with(WriteTrait.DIRECT))) {
      assumeTrue(writer.fallbacks().isEmpty(), writer.fallbacks()::toString);
      MemorySegment source = arena.allocate(expected.length, BLOCK).asSlice(1);
      source.copyFrom(MemorySegment.ofArray(expected).asSlice(1));
      writer.write(source);
      writer.flush();
      assertEquals(2, harness.writes.size());
      assertTrue(harness.writes.stream().allMatch(w -> w.address() % BLOCK == 0));
      assertTrue(harness.writes.stream().allMatch(w -> w.fd() != harness.file.fd()));
      assertEquals(List.of(), writer.fallbacks());
    }
  }

  @Test
  void byteBufferMovesOverWhatWasAccepted() throws IOException {
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS)) {
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100))) {
        buffer.position(10).limit(90);
        writer.write(buffer);
        assertEquals(90, buffer.position());
      }
      writer.write(ByteBuffer.allocate(7).asReadOnlyBuffer());
      assertEquals(167, writer.writtenOffsetBytes());
    }
  }

  @Test
  void streamFlushesAndClosesTheWriter() throws IOException {
    byte[] expected = WriteHarness.bytes(6, 70_001);
    try (WriteHarness harness = harness()) {
      BlockWriter writer = harness.writer(0, OPTIONS);
      try (OutputStream stream = writer.asOutputStream()) {
        stream.write(expected[0]);
        stream.write(expected, 1, 70_000);
        stream.flush();
        assertEquals(70_001, writer.flushedOffsetBytes());
      }
      assertThrows(IllegalStateException.class, writer::flush);
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
    }
  }

  @Test
  void keepsAtMostAsMuchUnflushedAsItMay() throws IOException {
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS.withMaxUnflushedBytes(5000))) {
      writer.write(new byte[3000], 0, 3000);
      assertEquals(0, writer.flushedOffsetBytes());
      writer.write(new byte[2000], 0, 2000);
      assertEquals(0, writer.flushedOffsetBytes());
      writer.write(new byte[1], 0, 1);
      assertEquals(5001, writer.flushedOffsetBytes());
    }
    try (WriteHarness harness = harness();
        BlockWriter writer = harness.writer(0, OPTIONS.withFlushEachWrite())) {
      writer.write(new byte[1], 0, 1);
      assertEquals(1, writer.flushedOffsetBytes());
    }
  }

  @Test
  void closeHandsOverAndDiscardDoesNot() throws IOException {
    try (WriteHarness harness = harness()) {
      BlockWriter writer = harness.writer(0, OPTIONS);
      writer.write(new byte[10], 0, 10);
      writer.discard();
      writer.discard();
      writer.close();
      assertEquals(List.of(), ranges(harness));
      BlockWriter other = harness.writer(0, OPTIONS);
      other.write(new byte[10], 0, 10);
      other.close();
      other.close();
      assertEquals(List.of("0-10"), ranges(harness));
      assertEquals(0, harness.calls("fdatasync"));
      BlockWriter durable = harness.writer(0, OPTIONS.with(WriteTrait.SYNC_ON_CLOSE));
      durable.write(new byte[10], 0, 10);
      durable.close();
      assertEquals(1, harness.calls("fdatasync"));
      assertEquals(0, durable.bytesAtRisk());
    }
  }

  @Test
  void roundsTheWriteSizeDownToBlocks() throws IOException {
    try (WriteHarness harness = harness()) {
      try (BlockWriter writer = harness.writer(0, OPTIONS.withWriteBytes(10_000))) {
        assertEquals(8192, writer.writeBytes());
        assertEquals(BLOCK, writer.blockBytes());
      }
      try (BlockWriter writer = harness.writer(0, OPTIONS.withWriteBytes(1))) {
        assertEquals(BLOCK, writer.writeBytes());
      }
      BlockWriterOptions asks = BlockWriterOptions.defaults();
      try (BlockWriter writer = harness.writer(0, asks)) {
        assertTrue(writer.blockBytes() >= 512, writer.blockBytes() + " bytes");
        assertEquals(BlockWriterOptions.DEFAULT_WRITE_BYTES, writer.writeBytes());
      }
    }
  }

  @Test
  void writesFromABufferThatAPoolLends() throws Exception {
    byte[] expected = WriteHarness.bytes(11, 20_000);
    try (BufferPool pool = BufferPool.ofBound(1 << 20);
        PooledBuffer lent = pool.acquire("a test", 3 * BLOCK);
        WriteHarness harness = harness()) {
      try (BlockWriter writer = BlockWriter.over(harness.file, 0, OPTIONS, lent.segment())) {
        writer.write(expected, 0, expected.length);
      }
      assertEquals(List.of("0-12288", "12288-20000"), ranges(harness));
      assertEquals(lent.segment().address(), harness.writes.getFirst().address());
      assertArrayEquals(expected, Files.readAllBytes(harness.path));
      for (MemorySegment wrong :
          List.of(
              MemorySegment.ofArray(new byte[BLOCK]),
              lent.segment().asSlice(0, BLOCK - 1),
              lent.segment().asSlice(1))) {
        assertThrows(
            IllegalArgumentException.class,
            () -> BlockWriter.over(harness.file, 0, OPTIONS, wrong));
      }
    }
  }

  @Test
  void asksTheMountForWhatSuitsIt() throws IOException {
    try (WriteHarness harness = harness();
        BlockWriter writer = BlockWriter.over(harness.file, 0)) {
      MountInfo mount = MountInfo.of(harness.faulty.calls(), harness.file.fd());
      assertEquals(mount.preferredWriteBytes(), writer.writeBytes());
    }
    MountInfo nfs = mount("nfs4", FileSystemKind.REMOTE, Optional.of(NFS));
    MountInfo nineP = mount("9p", FileSystemKind.REMOTE, Optional.empty());
    MountInfo ext4 = mount("ext4", FileSystemKind.LOCAL, Optional.empty());
    assertTrue(BlockWriterOptions.of(nfs).has(WriteTrait.SYNCHRONOUS_MOUNT));
    assertTrue(BlockWriterOptions.of(ext4).has(WriteTrait.SYNCHRONOUS_MOUNT));
    assertFalse(BlockWriterOptions.of(nineP).has(WriteTrait.SYNCHRONOUS_MOUNT));
    assertEquals(BLOCK, BlockWriterOptions.of(nfs).blockBytes(), "not the server's megabyte");
  }

  @Test
  void reservesAheadInStepsAndGivesBackTheRest() throws IOException {
    try (WriteHarness harness = harness()) {
      long step = 1 << 20;
      try (BlockWriter writer = harness.writer(0, OPTIONS.withPreallocateBytes(step))) {
        byte[] chunk = new byte[1000];
        for (int i = 0; i < 1500; i++) {
          writer.write(chunk, 0, chunk.length);
        }
        writer.flush();
        assertEquals(2, harness.calls("fallocate"), writer.fallbacks()::toString);
        assertEquals(1_500_000, Files.size(harness.path));
        assertEquals(2 * step, harness.faulty.calls().fstat(harness.file.fd()).allocatedBytes());
      }
      assertEquals(1_500_000, Files.size(harness.path));
      long allocated = harness.faulty.calls().fstat(harness.file.fd()).allocatedBytes();
      assertTrue(allocated < 2 * step && allocated >= 1_500_000, allocated + " bytes");
      try (BlockWriter writer = harness.writer(0, OPTIONS.withPreallocateBytes(step))) {
        writer.write(new byte[1_500_000], 0, 1_500_000);
      }
      assertEquals(2, harness.calls("fallocate"), "an overwrite reserves nothing");
    }
  }
}
