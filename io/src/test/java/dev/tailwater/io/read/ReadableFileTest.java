package dev.tailwater.io.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.io.RemoteLooking;
import dev.tailwater.io.buffer.ByteSource;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes, choices and refusals of the front on the real kernel. */
@Timeout(120)
final class ReadableFileTest {
  private static final int MIB = 1 << 20;

  private final FileCalls real = LinuxFileCalls.create();

  @TempDir Path directory;

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("file"), content);
  }

  private static byte[] random(int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new SplittableRandom(lengthBytes).nextBytes(bytes);
    return bytes;
  }

  private static ReadableFile open(FileCalls calls, Path path) throws IOException {
    return ReadableFile.open(calls, PosixPath.of(path), ReadOptions.defaults());
  }

  private static void truncate(Path path, long sizeBytes) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void evict(ReadableFile file) throws IOException {
    PageCache cache = file.pageCache();
    cache.writeBackAndDrop(cache.wholeFile());
    assumeTrue(cache.residency(cache.wholeFile()).none(), "cannot evict here");
  }

  @Test
  void givesTheSameBytesByEveryMethodOnEveryKernel() throws IOException {
    long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] content = random(2 * MIB + 4321);
    Path path = file(content);
    List<FaultPlan> kernels =
        List.of(
            FaultPlan.none(),
            FaultPlan.failAll("cachestat", Errno.ENOSYS),
            FaultPlan.failAll("preadv2", Errno.EOPNOTSUPP),
            FaultPlan.failAll("preadv2", Errno.EAGAIN),
            FaultPlan.failAll("madvise", Errno.EINVAL),
            FaultPlan.shortenAll(70_001));
    for (FaultPlan kernel : kernels) {
      FaultyFileCalls faulty = FaultyFileCalls.wrap(real, kernel);
      try (ReadableFile file = open(faulty.calls(), path)) {
        for (int i = 0; i < 40; i++) {
          if (random.nextInt(4) == 0) {
            evict(file);
          }
          int offset = random.nextInt(content.length + 10_000);
          int length = random.nextInt(random.nextBoolean() ? 30_000 : 2 * MIB);
          int there = Math.clamp(content.length - offset, 0, length);
          byte[] target = new byte[length + 70];
          ReadMethod method = List.of(ReadMethod.values()).get(random.nextInt(3));
          int count =
              random.nextBoolean()
                  ? file.read(offset, target, 50, length)
                  : file.read(offset, target, 50, length, method);
          assertEquals(there, count, "seed " + seed);
          int end = Math.min(offset + there, content.length);
          assertTrue(
              Arrays.equals(
                  content,
                  Math.min(offset, end),
                  end,
                  target,
                  50,
                  50 + end - Math.min(offset, end)),
              "seed " + seed);
        }
      }
      assertEquals(List.of(), faulty.openDescriptors());
    }
  }

  @Test
  void readsIntoSegmentsOfEveryKind() throws IOException {
    byte[] content = random(300_000);
    try (ReadableFile file = ReadableFile.open(file(content));
        Arena arena = Arena.ofConfined()) {
      MemorySegment expected = MemorySegment.ofArray(content).asSlice(1000);
      MemorySegment ints = MemorySegment.ofArray(new int[80_000]);
      MemorySegment bytes = MemorySegment.ofArray(new byte[300_000]).asSlice(200);
      for (MemorySegment target : List.of(arena.allocate(400_000), ints, bytes)) {
        assertEquals(299_000, file.read(1000, target));
        assertEquals(-1, expected.mismatch(target.asSlice(0, 299_000)));
      }
      assertThrows(
          IllegalArgumentException.class, () -> file.read(0, arena.allocate(10).asReadOnly()));
    }
  }

  @Test
  void choosesBySizeResidencyAndFileSystemAndSaysWhy() throws IOException {
    Path path = file(random(2 * MIB));
    FileRange large = new FileRange(0, 2 * MIB);
    try (ReadableFile file = ReadableFile.open(path)) {
      assertEquals(ReadMethod.CRITICAL, file.methodFor(large).method());
      assertEquals(ReadMethod.POOLED, file.methodFor(new FileRange(0, 4096)).method());
      assertEquals(ReadMethod.MAPPED, file.methodForView(large).method());
      assertEquals(ReadMethod.POOLED, file.methodForView(new FileRange(0, 4096)).method());
      evict(file);
      ReadChoice cold = file.methodFor(large);
      assertEquals(ReadMethod.POOLED, cold.method());
      assertTrue(cold.why().startsWith("512 of 512 pages are not resident"), cold.why());
    }
    try (ReadableFile remote = open(RemoteLooking.wrap(real), path)) {
      assertEquals(ReadMethod.POOLED, remote.methodFor(large).method());
      assertEquals(ReadMethod.POOLED, remote.methodForView(large).method());
      assertTrue(remote.methodFor(large).why().contains("remote"));
    }
  }

  @Test
  void neverReadsCriticallyWhatIsNotResidentOrNotLocalWhateverIsAskedFor() throws IOException {
    Path path = file(random(MIB));
    byte[] target = new byte[MIB];
    FaultyFileCalls local = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (ReadableFile file = open(local.calls(), path)) {
      evict(file);
      assertEquals(MIB, file.read(0, target, 0, MIB, ReadMethod.CRITICAL));
      assertFalse(local.log().contains("preadCritical"), local.log().toString());
      assertEquals(MIB, file.read(0, target, 0, MIB));
      assertTrue(local.log().contains("preadCritical"), local.log().toString());
    }
    FaultyFileCalls remote = FaultyFileCalls.wrap(RemoteLooking.wrap(real), FaultPlan.none());
    try (ReadableFile file = open(remote.calls(), path)) {
      for (ReadMethod method : ReadMethod.values()) {
        assertEquals(MIB, file.read(0, target, 0, MIB, method));
        file.view(new FileRange(0, MIB), method).close();
      }
      assertFalse(remote.log().contains("preadCritical"), remote.log().toString());
      assertFalse(remote.log().contains("map"), remote.log().toString());
    }
  }

  @Test
  void doesNotReadCriticallyWhatIsInThePageCacheButStillOnItsWay() throws IOException {
    FaultyFileCalls arriving =
        FaultyFileCalls.wrap(real, FaultPlan.failAll("preadv2", Errno.EAGAIN));
    try (ReadableFile file = open(arriving.calls(), file(random(MIB)))) {
      assertEquals(MIB, file.read(0, new byte[MIB], 0, MIB, ReadMethod.CRITICAL));
      assertFalse(arriving.log().contains("preadCritical"), arriving.log().toString());
    }
  }

  @Test
  void residentMebibyteCostsTenCalls() throws IOException {
    FaultyFileCalls counting = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (ReadableFile file = open(counting.calls(), file(random(MIB)))) {
      long before = counting.callCount();
      file.read(0, new byte[MIB], 0, MIB);
      assertEquals(10, counting.callCount() - before, counting.log().toString());
      before = counting.callCount();
      file.read(4096, new byte[4096], 0, 4096);
      assertEquals(1, counting.callCount() - before, counting.log().toString());
    }
  }

  @Test
  void viewsShowTheirRangeByEveryMethod() throws IOException {
    byte[] content = random(3 * MIB);
    try (ReadableFile file = ReadableFile.open(file(content))) {
      for (ReadMethod method : ReadMethod.values()) {
        for (FileRange range :
            List.of(new FileRange(4097, 2 * MIB), new FileRange(1, 10), new FileRange(5, 0))) {
          try (FileView view = file.view(range, method)) {
            MemorySegment expected =
                MemorySegment.ofArray(content).asSlice(range.offsetBytes(), range.lengthBytes());
            assertEquals(range, view.range());
            long mismatch = view.use(bytes -> bytes.mismatch(expected));
            assertEquals(-1, mismatch);
            byte[] copy = new byte[(int) range.lengthBytes()];
            view.copyTo(0, copy, 0, copy.length);
            assertEquals(-1, MemorySegment.ofArray(copy).mismatch(expected));
            assertThrows(
                IndexOutOfBoundsException.class,
                () -> view.use(1, range.lengthBytes(), MemorySegment::byteSize));
          }
        }
      }
    }
  }

  @Test
  void sharedViewsAreForAllThreadsAndOthersForTheirs() throws Exception {
    try (ReadableFile file = ReadableFile.open(file(random(2 * MIB)))) {
      for (int length : new int[] {100, 2 * MIB}) {
        FileRange range = new FileRange(0, length);
        try (FileView own = file.view(range)) {
          FileView shared = file.sharedView(range);
          Thread other =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        assertThrows(
                            WrongThreadException.class,
                            () -> own.use(bytes -> bytes.get(ValueLayout.JAVA_BYTE, 0)));
                        assertThrows(WrongThreadException.class, own::close);
                        try (shared) {
                          assertTrue(shared.use(MemorySegment::byteSize) == length);
                        } catch (IOException e) {
                          throw new AssertionError(e);
                        }
                      });
          Throwable[] failure = new Throwable[1];
          other.setUncaughtExceptionHandler((_, e) -> failure[0] = e);
          other.join();
          assertEquals(null, failure[0]);
          assertTrue(own.use(MemorySegment::byteSize) == length);
        }
      }
    }
  }

  @Test
  void unmapsAndClosesAtOnceAndBehindTheLastView() throws IOException {
    Path path = file(random(MIB));
    FaultyFileCalls tracked = FaultyFileCalls.wrap(real, FaultPlan.none());
    ReadableFile file = open(tracked.calls(), path);
    FileView view = file.view(new FileRange(0, MIB));
    FileView copied = file.view(new FileRange(0, 10));
    file.close();
    assertEquals(1, tracked.openDescriptors().size());
    assertTrue(view.use(MemorySegment::byteSize) == MIB);
    assertTrue(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()));
    view.close();
    assertFalse(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()));
    assertTrue(copied.use(MemorySegment::byteSize) == 10);
    copied.close();
    assertEquals(0, tracked.openDescriptors().size());
    assertThrows(IllegalStateException.class, view::close);
    assertThrows(IllegalStateException.class, () -> copied.use(MemorySegment::byteSize));
    assertThrows(IllegalStateException.class, () -> view.use(MemorySegment::byteSize));
  }

  @Test
  void aClosedReaderSaysSo() throws IOException {
    ReadableFile file = ReadableFile.open(file(random(10)));
    file.close();
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> file.read(0, new byte[1], 0, 1));
    assertTrue(String.valueOf(e.getMessage()).contains("is closed"), e.getMessage());
    assertThrows(IllegalStateException.class, file::readAll);
    assertThrows(IllegalStateException.class, () -> file.view(new FileRange(0, 1)));
    assertThrows(IllegalStateException.class, () -> file.asInputStream().read());
    assertThrows(IllegalStateException.class, () -> file.pageCache());
    assertThrows(IllegalStateException.class, file::close);
  }

  @Test
  void leavesABorrowedDescriptorOpen() throws IOException {
    FaultyFileCalls tracked = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (Descriptor descriptor =
        Descriptor.open(
            tracked.calls(), FileCalls.AT_FDCWD, PosixPath.of(file(random(10))), Set.of(), 0)) {
      try (ReadableFile file = ReadableFile.of(descriptor)) {
        assertEquals(10, file.readAll().length);
      }
      assertEquals(1, tracked.openDescriptors().size());
    }
  }

  @Test
  void refusesWhatIsNoRegularFile() {
    assertThrows(NotARegularFileException.class, () -> ReadableFile.open(directory));
    assertThrows(
        NotARegularFileException.class, () -> ReadableFile.open(Path.of("/proc/self/status")));
    assertThrows(NotARegularFileException.class, () -> ReadableFile.open(Path.of("/dev/zero")));
    ErrnoException missing =
        assertThrows(ErrnoException.class, () -> ReadableFile.open(directory.resolve("no")));
    assertEquals(Errno.ENOENT, missing.errno());
  }

  @Test
  void refusesRangesThatAreNegativeOrOverTheEnd() throws IOException {
    try (ReadableFile file = ReadableFile.open(file(random(100)))) {
      assertThrows(IllegalArgumentException.class, () -> file.read(-1, new byte[1], 0, 1));
      assertThrows(
          IllegalArgumentException.class, () -> file.read(Long.MAX_VALUE, new byte[1], 0, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> file.read(0, new byte[10], 5, 6));
      assertThrows(IllegalArgumentException.class, () -> new FileRange(0, -1));
      assertThrows(IllegalArgumentException.class, () -> new FileRange(Long.MAX_VALUE, 1));
      FileRange over = new FileRange(50, 51);
      for (org.junit.jupiter.api.function.Executable call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> file.view(over),
              () -> file.read(over),
              () -> file.pageCache().residency(over),
              () -> file.pageCache().drop(over),
              () -> file.pageCache().prefetch(over))) {
        RangeBeyondEndException e = assertThrows(RangeBeyondEndException.class, call);
        assertEquals(100, e.sizeBytes());
        assertTrue(
            String.valueOf(e.getMessage()).contains("51 bytes at offset 50"), e.getMessage());
      }
      assertEquals(0, file.read(100, new byte[10], 0, 10));
    }
  }

  @Test
  void aFileOverTwoGibibytesIsRefusedAsAnArrayAndViewed() throws IOException {
    Path path = directory.resolve("sparse");
    long sizeBytes = (3L << 30) + 5;
    try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
      sparse.setLength(sizeBytes);
      sparse.seek(sizeBytes - 1);
      sparse.write(7);
    }
    try (ReadableFile file = ReadableFile.open(path);
        FileView view = file.view(new FileRange(0, sizeBytes))) {
      FileTooLargeException e = assertThrows(FileTooLargeException.class, file::readAll);
      assertTrue(
          String.valueOf(e.getMessage()).contains(String.valueOf(sizeBytes)), e.getMessage());
      assertEquals(ReadMethod.MAPPED, view.choice().method());
      byte found = view.use(sizeBytes - 1, 1, bytes -> bytes.get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(7, found);
      byte[] last = new byte[3];
      view.copyTo(sizeBytes - 3, last, 0, 3);
      assertArrayEquals(new byte[] {0, 0, 7}, last);
      assertEquals(2, file.read(sizeBytes - 2, last, 0, 3));
      // Only what was looked at was brought in.
      assertTrue(
          file.pageCache().residency(new FileRange(0, 1L << 30)).residentPages().orElseThrow()
              < 1000);
    }
  }

  @Test
  void truncationBetweenSizeAndReadIsTold() throws IOException {
    Path path = file(random(MIB));
    FaultPlan truncating =
        FaultPlan.once(call -> call.is("cachestat"), Fault.PROCEED)
            .or(
                call -> {
                  if (call.is("preadCritical") || call.is("pread")) {
                    truncate(path, 1000);
                  }
                  return Fault.PROCEED;
                });
    try (ReadableFile file = open(FaultyFileCalls.wrap(real, truncating).calls(), path)) {
      FileShrunkException e = assertThrows(FileShrunkException.class, file::readAll);
      assertEquals(1000, e.sizeBytes());
      assertEquals(MIB, e.expectedBytes());
    }
  }

  @Test
  void truncationUnderAViewIsToldBeforeAnythingIsTouched() throws IOException {
    byte[] content = random(MIB);
    Path path = file(content);
    try (ReadableFile file = ReadableFile.open(path);
        FileView view = file.view(new FileRange(100, MIB - 100))) {
      byte[] copy = new byte[1000];
      view.copyTo(500_000, copy, 0, 1000);
      truncate(path, 300_000);
      FileShrunkException e =
          assertThrows(FileShrunkException.class, () -> view.copyTo(500_000, copy, 0, 1000));
      assertEquals(300_000, e.sizeBytes());
      assertThrows(FileShrunkException.class, () -> view.use(MemorySegment::byteSize));
      assertThrows(
          FileShrunkException.class, () -> view.use(299_000, 1000, MemorySegment::byteSize));
      view.copyTo(298_900, copy, 0, 1000);
      assertArrayEquals(Arrays.copyOfRange(content, 299_000, 300_000), copy);
      IllegalStateException own =
          assertThrows(
              IllegalStateException.class,
              () ->
                  view.use(
                      0,
                      10,
                      _ -> {
                        throw new IllegalStateException("mine");
                      }));
      assertEquals("mine", own.getMessage());
    }
  }

  @Test
  void isASourceOfBytesFromAnOffsetOn() throws IOException {
    byte[] content = random(100_000);
    try (ReadableFile file = ReadableFile.open(file(content));
        Arena arena = Arena.ofConfined()) {
      ByteSource source = file.asSource(10);
      MemorySegment target = arena.allocate(60_000);
      assertEquals(60_000, source.read(target));
      assertEquals(39_990, source.read(target));
      assertEquals(
          -1, MemorySegment.ofArray(content).asSlice(60_010).mismatch(target.asSlice(0, 39_990)));
      assertEquals(ByteSource.END, source.read(target));
      assertThrows(IllegalArgumentException.class, () -> file.asSource(-1));
    }
  }

  @Test
  void streamsTheFileInSmallAndLargeReadsWithMarkAndSkip() throws IOException {
    byte[] content = random(700_001);
    try (ReadableFile file = ReadableFile.open(file(content))) {
      assertArrayEquals(content, file.asInputStream().readAllBytes());
      ByteArrayOutputStream copied = new ByteArrayOutputStream();
      InputStream stream = file.asInputStream();
      assertEquals(content[0] & 0xFF, stream.read());
      assertEquals(700_000, stream.available());
      stream.mark(1);
      assertEquals(99_999, stream.skip(99_999));
      assertEquals(content[100_000] & 0xFF, stream.read());
      stream.reset();
      assertEquals(700_000, stream.transferTo(copied));
      assertArrayEquals(Arrays.copyOfRange(content, 1, content.length), copied.toByteArray());
      assertEquals(-1, stream.read());
      assertEquals(-1, stream.read(new byte[100_000]));
      assertEquals(0, stream.skip(5));
    }
  }
}
