package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.fuse.FuseCounts;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import dev.tailwater.posix.value.OpenFlag;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Article 000 in small: a mount that makes a request of each write(2), as NFS with {@code noac}
 * does. What counts is requests; {@code tailwater lab --only write-size-sync} measures the time.
 * Needs FUSE.
 */
class SynchronousMountTest {
  private static final int KIB = 1024;
  private static final int REQUEST_BYTES = 128 * KIB;
  private static final int TAIL_BYTES = 777;
  private static final int SIZE_BYTES = (4 << 20) + TAIL_BYTES;

  private static final Map<Integer, Long> WHOLE_REQUESTS =
      Map.of(REQUEST_BYTES, (long) SIZE_BYTES / REQUEST_BYTES, TAIL_BYTES, 1L);

  /** What an application of that period copies with. */
  private static final int READ_BYTES = 8 * KIB;

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;

  private interface Way {
    void write(byte[] content, Path to) throws IOException;
  }

  private static FuseCounts count(FuseFileSystem mounted, byte[] content, Way way)
      throws IOException {
    Path to = mounted.root().resolve("file");
    Files.deleteIfExists(to);
    mounted.reset();
    way.write(content, to);
    FuseCounts counts = mounted.counts();
    assertEquals(content.length, counts.writeBytes());
    assertEquals(
        -1, Files.mismatch(mounted.files().resolve("file"), contentFile(mounted, content)));
    return counts;
  }

  private static Path contentFile(FuseFileSystem mounted, byte[] content) throws IOException {
    return Files.write(mounted.files().resolve("expected"), content);
  }

  private static byte[] content() {
    byte[] content = new byte[SIZE_BYTES];
    new Random(1).nextBytes(content);
    return content;
  }

  private static void stream(byte[] content, Path to, int bufferBytes) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to), bufferBytes)) {
      for (int at = 0; at < content.length; at += READ_BYTES) {
        out.write(content, at, Math.min(READ_BYTES, content.length - at));
      }
    }
  }

  private Descriptor create(Path to) throws IOException {
    return Descriptor.open(
        calls,
        NameCalls.AT_FDCWD,
        PosixPath.of(to),
        Set.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE),
        0600);
  }

  private void blockWriter(byte[] content, Path to, int applicationBytes) throws IOException {
    try (Descriptor file = create(to);
        BlockWriter writer = BlockWriter.over(file, 0)) {
      for (int at = 0; at < content.length; at += applicationBytes) {
        writer.write(content, at, Math.min(applicationBytes, content.length - at));
      }
    }
  }

  @Test
  void aStreamMakesARequestOfEachBuffer() throws IOException {
    byte[] content = content();
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      for (int kib : new int[] {8, 64}) {
        FuseCounts counts = count(mounted, content, (bytes, to) -> stream(bytes, to, kib * KIB));
        assertEquals(
            Map.of(kib * KIB, SIZE_BYTES / (kib * 1024L), TAIL_BYTES, 1L), counts.writeSizes());
      }
      // The JDK's memory is not page-aligned, so that 128 KiB touch 33 pages, and one request
      // holds 32: the kernel makes two of what NFS would send as one.
      FuseCounts counts = count(mounted, content, (bytes, to) -> stream(bytes, to, 128 * KIB));
      long buffers = SIZE_BYTES / (128 * 1024L);
      assertTrue(counts.writeRequests() >= buffers + 1, counts.toString());
      assertTrue(counts.writeRequests() <= 2 * buffers + 1, counts.toString());
    }
  }

  @Test
  void aBlockWriterMakesRequestsOfTheMountsSizeWhateverTheApplicationsSize() throws IOException {
    byte[] content = content();
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      for (int bytes : new int[] {1000, 8 * KIB, 64 * KIB, 128 * KIB, 1024 * KIB, SIZE_BYTES}) {
        FuseCounts counts = count(mounted, content, (data, to) -> blockWriter(data, to, bytes));
        assertEquals(WHOLE_REQUESTS, counts.writeSizes(), "application writes " + bytes);
      }
    }
  }

  @Test
  void aFileCopyMakesFewerRequestsThanTransferTo() throws IOException {
    byte[] content = content();
    Path from = Files.write(directory.resolve("from"), content);
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      FuseCounts copied = count(mounted, content, (_, to) -> copy(from, to));
      assertEquals(WHOLE_REQUESTS, copied.writeSizes());
      FuseCounts transferred = count(mounted, content, (_, to) -> transfer(from, to));
      assertTrue(
          transferred.writeRequests() > copied.writeRequests(), transferred + " and " + copied);
    }
  }

  private void copy(Path from, Path to) throws IOException {
    try (Descriptor source =
            Descriptor.open(calls, NameCalls.AT_FDCWD, PosixPath.of(from), Set.of(), 0);
        Descriptor target = create(to)) {
      FileCopyResult result = FileCopy.whole(source, target, FileCopyOptions.defaults());
      assertEquals(CopyMethod.BLOCK_WRITES, result.method());
      assertEquals(SIZE_BYTES / REQUEST_BYTES + 1, result.requests());
    }
  }

  private static void transfer(Path from, Path to) throws IOException {
    try (FileChannel source = FileChannel.open(from);
        FileChannel target =
            FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long at = 0;
      while (at < source.size()) {
        at += source.transferTo(at, source.size() - at, target);
      }
    }
  }

  @Test
  void aCopyFromASlowMountAsksForWholeRequestsToo() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      byte[] content = content();
      Files.write(mounted.files().resolve("from"), content);
      Path to = directory.resolve("to");
      try (Descriptor source =
              Descriptor.open(
                  calls,
                  NameCalls.AT_FDCWD,
                  PosixPath.of(mounted.root().resolve("from")),
                  Set.of(),
                  0);
          Descriptor target = create(to)) {
        FileCopy.whole(source, target, FileCopyOptions.defaults());
      }
      assertEquals(-1, Files.mismatch(mounted.files().resolve("from"), to));
      assertTrue(
          mounted.counts().readRequests() <= SIZE_BYTES / REQUEST_BYTES + 3,
          mounted.counts().toString());
    }
  }
}
