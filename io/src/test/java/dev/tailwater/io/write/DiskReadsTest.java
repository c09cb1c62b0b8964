package dev.tailwater.io.write;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.DiskStatistics;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the disk is asked to read while files are written, counted at its loop device. Data is made
 * cold by fadvise, which leaves the metadata in memory: so every read is one of data. Needs root.
 */
class DiskReadsTest {
  private static final long MIB = 1 << 20;
  private static final int FILE_BYTES = 3 << 20;
  private static final List<Integer> CHUNKS = List.of(1000, 2048, 4096, 6144, 8192);
  private static final BlockWriterOptions OPTIONS = BlockWriterOptions.defaults();

  /** The file systems of the article, and xfs. */
  enum Kind {
    EXT4_2K(2048),
    EXT4_4K(4096),
    XFS_4K(4096);

    final int blockBytes;

    Kind(int blockBytes) {
      this.blockBytes = blockBytes;
    }

    MountedFileSystem mount() throws IOException {
      return this == XFS_4K
          ? TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, blockBytes)
          : TestFileSystems.ext4(64 * MIB, blockBytes);
    }
  }

  private final FileCalls calls = LinuxFileCalls.create();

  private interface Writing {
    void write(Descriptor file) throws IOException;
  }

  private Descriptor open(MountedFileSystem mounted) throws IOException {
    return Descriptor.open(
        calls,
        AT_FDCWD,
        mounted.path().resolve("file"),
        EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
        0600);
  }

  private void fill(Descriptor file) throws IOException {
    try (BlockWriter writer = BlockWriter.over(file, 0, OPTIONS.with(WriteTrait.SYNC_ON_CLOSE))) {
      writer.write(WriteHarness.bytes(1, FILE_BYTES), 0, FILE_BYTES);
    }
  }

  private void makeCold(Descriptor file) throws IOException {
    calls.fsync(file.fd());
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    do { // A page that the kernel uses itself just then stays.
      assertTrue(System.nanoTime() - deadlineNanos < 0, "pages cannot be evicted");
      calls.fadvise(file.fd(), 0, 0, Advice.DONT_NEED);
    } while (calls.cachestat(file.fd(), 0, 0).cachedPages() > 0);
  }

  /** What is read while a cold file is written and synced. */
  private long readBytes(MountedFileSystem mounted, Descriptor file, Writing writing)
      throws IOException {
    makeCold(file);
    DiskStatistics before = mounted.diskStatistics();
    writing.write(file);
    calls.fdatasync(file.fd());
    return mounted.diskStatistics().since(before).readBytes();
  }

  private static Writing throughWriter(
      byte[] content, long offsetBytes, int chunkBytes, WriteTrait... traits) {
    return file -> {
      try (BlockWriter writer = BlockWriter.over(file, offsetBytes, OPTIONS.with(traits))) {
        for (int at = 0; at < content.length; at += chunkBytes) {
          writer.write(content, at, Math.min(chunkBytes, content.length - at));
        }
      }
    };
  }

  /** As RandomAccessFile does it: each application write is a kernel write. */
  private Writing plainly(byte[] content, int chunkBytes) {
    return file -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment buffer = arena.allocate(chunkBytes);
        for (int at = 0; at < content.length; at += chunkBytes) {
          int length = Math.min(chunkBytes, content.length - at);
          MemorySegment.copy(MemorySegment.ofArray(content), at, buffer, 0, length);
          assertEquals(length, calls.pwrite(file.fd(), buffer.asSlice(0, length), at));
        }
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void overwritingWholeBlocksOfAColdFileReadsNothing(Kind kind) throws IOException {
    try (MountedFileSystem mounted = kind.mount();
        Descriptor file = open(mounted)) {
      fill(file);
      for (int chunk : CHUNKS) {
        byte[] content = WriteHarness.bytes(chunk, FILE_BYTES);
        assertEquals(
            0, readBytes(mounted, file, throughWriter(content, 0, chunk)), kind + " " + chunk);
        assertArrayEquals(content, Files.readAllBytes(path(mounted)));
      }
      for (WriteTrait trait :
          List.of(WriteTrait.DIRECT, WriteTrait.DURABLE_WRITES, WriteTrait.DROP_BEHIND)) {
        byte[] content = WriteHarness.bytes(trait.name().length(), FILE_BYTES);
        Writing writing = throughWriter(content, 0, 6144, trait);
        assertEquals(0, readBytes(mounted, file, writing), kind + " " + trait);
        assertArrayEquals(content, Files.readAllBytes(path(mounted)));
      }
    }
  }

  private static Path path(MountedFileSystem mounted) {
    return mounted.root().resolve("file");
  }

  /** The control: without it the counting could be broken. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void plainWritesThatAreNoMultipleOfTheBlockDoRead(Kind kind) throws IOException {
    try (MountedFileSystem mounted = kind.mount();
        Descriptor file = open(mounted)) {
      fill(file);
      for (int chunk : CHUNKS) {
        byte[] content = WriteHarness.bytes(chunk, FILE_BYTES);
        long read = readBytes(mounted, file, plainly(content, chunk));
        String what = kind + " in chunks of " + chunk + " read " + read + " bytes";
        if (chunk % kind.blockBytes == 0) {
          assertEquals(0, read, what);
        } else {
          // 6144 on 4096: every third block; less than a block: nearly all.
          assertTrue(read >= FILE_BYTES / 4, what);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void onlyTheUnalignedFirstAndLastBlockAreRead(Kind kind) throws IOException {
    byte[] content = WriteHarness.bytes(9, 1_000_000);
    try (MountedFileSystem mounted = kind.mount();
        Descriptor file = open(mounted)) {
      fill(file);
      for (int chunk : CHUNKS) {
        long read = readBytes(mounted, file, throughWriter(content, 1001, chunk));
        assertEquals(2L * kind.blockBytes, read, kind + " " + chunk);
        read = readBytes(mounted, file, throughWriter(content, 1001, chunk, WriteTrait.DIRECT));
        assertEquals(2L * kind.blockBytes, read, kind + " direct " + chunk);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void blockThatWasFlushedInPartIsNotReadAgainWhenItsPageIsGone(Kind kind) throws IOException {
    int part = 2 * kind.blockBytes + 700;
    byte[] content = WriteHarness.bytes(10, part);
    try (MountedFileSystem mounted = kind.mount();
        Descriptor file = open(mounted)) {
      fill(file);
      try (BlockWriter writer = BlockWriter.over(file, 0, OPTIONS)) {
        Writing some =
            _ -> {
              writer.write(content, 0, content.length);
              writer.flush();
            };
        assertEquals(kind.blockBytes, readBytes(mounted, file, some), "its last block");
        byte[] rest = WriteHarness.bytes(11, kind.blockBytes - 700);
        Writing restOfTheBlock =
            _ -> {
              writer.write(rest, 0, rest.length);
              writer.flush();
            };
        assertEquals(0, readBytes(mounted, file, restOfTheBlock));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void appendingReadsOnlyAnUnalignedTail(Kind kind) throws IOException {
    byte[] content = WriteHarness.bytes(12, 500_000);
    try (MountedFileSystem mounted = kind.mount();
        Descriptor file = open(mounted)) {
      // Finding free blocks reads metadata, once.
      fill(file);
      for (int chunk : CHUNKS) {
        calls.truncate(file.fd(), 0);
        assertEquals(0, readBytes(mounted, file, throughWriter(content, 0, chunk)), "new bytes");
        long tail = readBytes(mounted, file, throughWriter(content, content.length, chunk));
        assertEquals(kind.blockBytes, tail, kind + " " + chunk);
      }
    }
  }

  @Test
  void writesDirectlyWhatItCan() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(64 * MIB, 4096);
        Descriptor file = open(mounted)) {
      byte[] content = WriteHarness.bytes(13, 1_000_000);
      throughWriter(content, 0, 1000, WriteTrait.DIRECT).write(file);
      long dirty = calls.cachestat(file.fd(), 0, 0).cachedPages();
      assertTrue(dirty <= 1, dirty + " pages are in the page cache; only the tail may be");
      assertArrayEquals(content, Files.readAllBytes(path(mounted)));
    }
  }
}
