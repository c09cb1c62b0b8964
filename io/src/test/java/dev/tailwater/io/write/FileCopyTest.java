package dev.tailwater.io.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.OpenFlag;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileCopyTest {
  private static final int KIB = 1024;
  private static final long MIB = 1024 * 1024;
  private static final Set<OpenFlag> NEW = Set.of(OpenFlag.READ_WRITE, OpenFlag.CREATE);

  private final FileCalls real = LinuxFileCalls.create();
  @TempDir private Path directory;

  private static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Descriptor open(FileCalls calls, Path path, Set<OpenFlag> flags) throws IOException {
    return Descriptor.open(calls, NameCalls.AT_FDCWD, PosixPath.of(path), flags, 0600);
  }

  private FileCopyResult whole(FileCalls calls, Path from, Path to, FileCopyOptions options)
      throws IOException {
    try (Descriptor source = open(calls, from, Set.of());
        Descriptor target = open(calls, to, NEW)) {
      return FileCopy.whole(source, target, options);
    }
  }

  private static FileCopyOptions by(CopyMethod method) {
    return FileCopyOptions.defaults().withMethod(method);
  }

  @ParameterizedTest
  @EnumSource(CopyMethod.class)
  void copiesEverySizeAroundAWindow(CopyMethod method) throws IOException {
    for (int size : new int[] {0, 1, 4095, 4096, 65_535, 65_536, 65_537, 300_001}) {
      Path from = directory.resolve("from" + size);
      Path to = directory.resolve("to" + size);
      byte[] content = bytes(size, size);
      Files.write(from, content);
      FileCopyResult result = whole(real, from, to, by(method).withWriteBytes(64 * KIB));
      assertArrayEquals(content, Files.readAllBytes(to), "of " + size + " bytes");
      assertEquals(size, result.bytes());
      assertEquals(method, result.method());
      if (method == CopyMethod.BLOCK_WRITES) {
        assertEquals((size + 65_535) / 65_536, result.requests());
      }
    }
  }

  @Test
  void betweenLocalFileSystemsTheKernelCopies() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 1_000_000));
    FileCopyResult result =
        whole(real, from, directory.resolve("to"), FileCopyOptions.defaults().withSync());
    assertEquals(CopyMethod.IN_KERNEL, result.method());
    assertEquals(-1, Files.mismatch(from, directory.resolve("to")));
  }

  @Test
  void ontoASynchronousMountItWritesWindows() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 1024)) {
      Command.run(List.of("mount", "-o", "remount,sync", mounted.root().toString()))
          .requireSuccess();
      Path from = Files.write(directory.resolve("from"), bytes(1, 1_000_000));
      Path to = mounted.root().resolve("to");
      FileCopyResult result = whole(real, from, to, FileCopyOptions.defaults());
      assertEquals(CopyMethod.BLOCK_WRITES, result.method());
      assertEquals(4, result.requests());
      assertEquals(-1, Files.mismatch(from, to));
    }
  }

  @ParameterizedTest
  @EnumSource(CopyMethod.class)
  void aLongerTargetIsCutByAWholeCopyAndKeptByARange(CopyMethod method) throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 100_000));
    Path to = Files.write(directory.resolve("to"), bytes(2, 200_000));
    byte[] expected = Files.readAllBytes(to);
    System.arraycopy(Files.readAllBytes(from), 11, expected, 70_007, 80_000);
    try (Descriptor source = open(real, from, Set.of());
        Descriptor target = open(real, to, NEW)) {
      FileCopyResult result = FileCopy.range(source, 11, 80_000, target, 70_007, by(method));
      assertEquals(80_000, result.bytes());
    }
    assertArrayEquals(expected, Files.readAllBytes(to));
    assertEquals(100_000, whole(real, from, to, by(method)).bytes());
    assertEquals(-1, Files.mismatch(from, to));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 5000})
  void shortReadsAndShortWritesAreContinued(int maxBytes) throws IOException {
    int size = maxBytes == 1 ? 20_000 : 200_000;
    Path from = Files.write(directory.resolve("from"), bytes(maxBytes, size));
    for (CopyMethod method : CopyMethod.values()) {
      Path to = directory.resolve("to" + method);
      FaultyFileCalls faulty = FaultyFileCalls.wrap(real, FaultPlan.shortenAll(maxBytes));
      FileCopyResult result = whole(faulty.calls(), from, to, by(method).withWriteBytes(16 * KIB));
      assertEquals(size, result.bytes());
      assertEquals(-1, Files.mismatch(from, to), "by " + method);
      assertEquals(List.of(), faulty.openDescriptors());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"EXDEV", "EOPNOTSUPP", "EINVAL", "ENOSYS", "EPERM"})
  void whatTheKernelRefusesToCopyIsReadAndWritten(Errno refusal) throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 500_000));
    Path to = directory.resolve("to");
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(real, FaultPlan.failAll("copyFileRange", refusal));
    FileCopyResult result = whole(faulty.calls(), from, to, by(CopyMethod.IN_KERNEL));
    assertEquals(CopyMethod.BLOCK_WRITES, result.method());
    assertEquals(2, result.requests());
    assertEquals(-1, Files.mismatch(from, to));
  }

  @Test
  void aRefusalInTheMiddleIsContinuedFromThere() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 500_000));
    Path to = directory.resolve("to");
    FaultPlan plan =
        FaultPlan.failAll("copyFileRange", Errno.EXDEV)
            .from(20)
            .or(FaultPlan.shortenAll("copyFileRange", 4099));
    FaultyFileCalls faulty = FaultyFileCalls.wrap(real, plan);
    FileCopyResult result = whole(faulty.calls(), from, to, by(CopyMethod.IN_KERNEL));
    assertEquals(CopyMethod.BLOCK_WRITES, result.method());
    assertTrue(result.requests() > 3, "both ways: " + result);
    assertEquals(-1, Files.mismatch(from, to));
  }

  /** 4 MiB with data at 1 MiB and at 3 MiB, and a hole at the end. */
  private Path sparse() throws IOException {
    Path from = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
      file.seek(MIB);
      file.write(bytes(1, 64 * KIB));
      file.seek(3 * MIB);
      file.write(bytes(2, 5));
      file.setLength(4 * MIB);
    }
    try (Descriptor source = open(real, from, Set.of())) {
      long allocated = real.fstat(source.fd()).allocatedBytes();
      assumeTrue(allocated < MIB, "this file system keeps no holes");
    }
    return from;
  }

  private long allocated(Path path) throws IOException {
    try (Descriptor file = open(real, path, Set.of())) {
      return real.fstat(file.fd()).allocatedBytes();
    }
  }

  @ParameterizedTest
  @EnumSource(CopyMethod.class)
  void holesAreKeptWhenAskedFor(CopyMethod method) throws IOException {
    Path from = sparse();
    Path to = directory.resolve("to");
    FileCopyResult result = whole(real, from, to, by(method).withHoles());
    assertEquals(-1, Files.mismatch(from, to));
    assertEquals(4 * MIB, Files.size(to));
    assertEquals(4 * MIB, result.bytes());
    assertEquals(4 * MIB - 68 * KIB, result.holeBytes());
    assertTrue(allocated(to) < MIB, "allocated " + allocated(to));
  }

  @ParameterizedTest
  @EnumSource(CopyMethod.class)
  void oldBytesUnderAHoleGoAway(CopyMethod method) throws IOException {
    Path from = sparse();
    Path to = Files.write(directory.resolve("to"), bytes(3, 5_000_000));
    whole(real, from, to, by(method).withHoles());
    assertEquals(-1, Files.mismatch(from, to));
    assertTrue(allocated(to) < MIB, "allocated " + allocated(to));

    Path other = Files.write(directory.resolve("other"), bytes(3, 2_000_000));
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(real, FaultPlan.failAll("fallocate", Errno.EOPNOTSUPP));
    FileCopyResult result = whole(faulty.calls(), from, other, by(method).withHoles());
    assertEquals(-1, Files.mismatch(from, other));
    assertTrue(result.holeBytes() < 3 * MIB, "zeros where punching was refused: " + result);
  }

  @Test
  void aFileOfThreeGibibytesIsCopiedByItsData() throws IOException {
    Path from = directory.resolve("large");
    long size = 3L * 1024 * MIB + 17;
    try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
      file.setLength(size);
      file.seek(size - 5);
      file.write(bytes(1, 5));
    }
    assumeTrue(allocated(from) < MIB, "this file system keeps no holes");
    for (CopyMethod method : CopyMethod.values()) {
      Path to = directory.resolve("to" + method);
      FileCopyResult result = whole(real, from, to, by(method).withHoles());
      assertEquals(size, result.bytes());
      assertEquals(size, Files.size(to));
      try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "r")) {
        byte[] last = new byte[5];
        file.seek(size - 5);
        file.readFully(last);
        assertArrayEquals(bytes(1, 5), last);
      }
    }
  }

  @Test
  void randomRangesOfRandomFilesAreCopiedExactly() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      Path from = directory.resolve("from");
      byte[] content = randomFile(random, from);
      Path to = directory.resolve("to");
      byte[] before = bytes(random.nextLong(), random.nextInt(200_000));
      Files.write(to, before);
      int offset = random.nextInt(content.length);
      int length = random.nextInt(content.length - offset);
      int at = random.nextInt(200_000);
      FileCopyOptions options =
          by(random.nextBoolean() ? CopyMethod.IN_KERNEL : CopyMethod.BLOCK_WRITES)
              .withWriteBytes(1 + random.nextInt(40_000));
      try (Descriptor source = open(real, from, Set.of());
          Descriptor target = open(real, to, NEW)) {
        FileCopy.range(
            source,
            offset,
            length,
            target,
            at,
            random.nextBoolean() ? options.withHoles() : options);
      }
      int end = length == 0 ? 0 : at + length;
      byte[] expected = Arrays.copyOf(before, Math.max(before.length, end));
      System.arraycopy(content, offset, expected, length == 0 ? 0 : at, length);
      assertArrayEquals(expected, Files.readAllBytes(to), "seed " + seed + " round " + round);
    }
  }

  private static byte[] randomFile(Random random, Path path) throws IOException {
    Files.deleteIfExists(path);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(1 + random.nextInt(300_000));
      for (int piece = random.nextInt(5); piece > 0; piece--) {
        file.seek(random.nextInt(300_000));
        file.write(bytes(random.nextLong(), random.nextInt(30_000)));
      }
    }
    return Files.readAllBytes(path);
  }

  @Test
  void aRangeBehindTheEndSaysWhatIsMissing() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 100));
    Path to = directory.resolve("to");
    try (Descriptor source = open(real, from, Set.of());
        Descriptor target = open(real, to, NEW)) {
      for (CopyMethod method : CopyMethod.values()) {
        EOFException e =
            assertThrows(
                EOFException.class, () -> FileCopy.range(source, 50, 60, target, 0, by(method)));
        assertTrue(e.toString().contains("ends at 100, 10 bytes before"), e.toString());
        assertEquals(50, Files.size(to));
        EOFException none =
            assertThrows(
                EOFException.class,
                () -> FileCopy.range(source, 500, 1, target, 10_000, by(method)));
        assertTrue(none.toString().contains("has no byte at 500, 1 bytes before"), none.toString());
        assertEquals(50, Files.size(to));
      }
    }
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 100));
    FileCopyOptions options = FileCopyOptions.defaults();
    try (Descriptor source = open(real, from, NEW);
        Descriptor again = open(real, from, NEW);
        Descriptor folder = open(real, directory, Set.of(OpenFlag.DIRECTORY));
        Descriptor reading = open(real, from, Set.of());
        Descriptor to = open(real, directory.resolve("to"), NEW);
        Descriptor append =
            open(real, directory.resolve("to"), Set.of(OpenFlag.WRITE_ONLY, OpenFlag.APPEND))) {
      refused(() -> FileCopy.whole(source, again, options));
      refused(() -> FileCopy.range(source, 0, 60, again, 50, options));
      refused(() -> FileCopy.range(source, -1, 60, to, 50, options));
      refused(() -> FileCopy.range(source, 0, -60, to, 50, options));
      refused(() -> FileCopy.range(source, 0, 60, to, Long.MAX_VALUE, options));
      refused(() -> FileCopy.whole(source, append, options));
      refused(() -> FileCopy.whole(to, reading, options));
      refused(() -> options.withWriteBytes(-1));
      assertThrows(NotARegularFileException.class, () -> FileCopy.whole(folder, to, options));
      assertThrows(NotARegularFileException.class, () -> FileCopy.whole(source, folder, options));
      FileCopy.range(source, 0, 40, again, 60, options);
    }
    byte[] content = Files.readAllBytes(from);
    assertArrayEquals(Arrays.copyOf(content, 40), Arrays.copyOfRange(content, 60, 100));
  }

  private static void refused(Executable call) {
    assertThrows(IllegalArgumentException.class, call);
  }

  @Test
  void aFullDiskIsAnErrorThatNamesTheFile() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      Path from = Files.write(directory.resolve("from"), bytes(1, 2_000_000));
      for (CopyMethod method : CopyMethod.values()) {
        Path to = mounted.root().resolve("to");
        ErrnoException e =
            assertThrows(ErrnoException.class, () -> whole(real, from, to, by(method)));
        assertEquals(Errno.ENOSPC, e.errno());
        assertTrue(e.toString().contains(to.toString()), e.toString());
        Files.delete(to);
      }
    }
  }

  @Test
  void aReadErrorIsAnErrorThatNamesTheSource() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes(1, 2_000));
    FaultyFileCalls faulty = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (Descriptor source =
            open(
                FaultyFileCalls.wrap(real, FaultPlan.failAll("pread", Errno.EIO)).calls(),
                from,
                Set.of());
        Descriptor target = open(faulty.calls(), directory.resolve("to"), NEW)) {
      ErrnoException e =
          assertThrows(
              ErrnoException.class,
              () -> FileCopy.whole(source, target, by(CopyMethod.BLOCK_WRITES)));
      assertTrue(e.toString().contains(from + " at offset 0"), e.toString());
    }
    assertEquals(List.of(), faulty.openDescriptors());
  }
}
