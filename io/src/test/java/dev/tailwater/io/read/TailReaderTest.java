package dev.tailwater.io.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.RemoteLooking;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.ReadFlag;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes, costs and traces of reads on the real kernel. */
final class TailReaderTest {
  private static final int MIB = 1 << 20;
  private static final FaultPlan NO_CACHESTAT = FaultPlan.failAll("cachestat", Errno.ENOSYS);
  private static final FaultPlan NO_DONT_CACHE =
      FaultPlan.when(call -> isCold(call), new Fault.Fail(Errno.EOPNOTSUPP));

  private final FileCalls real = LinuxFileCalls.create();

  @TempDir Path directory;

  private static boolean isCold(Call call) {
    return call.is("preadv2") && call.arguments().contains(Set.of(ReadFlag.DONT_CACHE));
  }

  private static byte[] random(int lengthBytes, long seed) {
    byte[] bytes = new byte[lengthBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private Descriptor open(FileCalls calls, Path file) throws IOException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
  }

  private void evict(Path file) throws IOException {
    try (Descriptor descriptor = open(real, file)) {
      real.fsync(descriptor.fd());
      real.fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
    }
  }

  private long cachedPages(Path file) throws IOException {
    try (Descriptor descriptor = open(real, file)) {
      return real.cachestat(descriptor.fd(), 0, Files.size(file)).cachedPages();
    }
  }

  @Test
  void givesEveryByteWhateverTheKernelCanDo() throws IOException {
    long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] content = random(3 * MIB + 4321, seed);
    Path file = Files.write(directory.resolve("x"), content);
    List<FaultPlan> kernels =
        List.of(
            FaultPlan.none(),
            NO_CACHESTAT,
            NO_DONT_CACHE,
            NO_CACHESTAT.or(NO_DONT_CACHE),
            NO_CACHESTAT.or(FaultPlan.failAll("preadv2", Errno.EOPNOTSUPP)),
            FaultPlan.shortenAll(70_001));
    for (FaultPlan kernel : kernels) {
      FileCalls calls = FaultyFileCalls.wrap(real, kernel).calls();
      try (TailReader reader = new TailReader(calls);
          Descriptor descriptor = open(calls, file)) {
        for (int i = 0; i < 40; i++) {
          if (random.nextInt(3) == 0) {
            evict(file);
          }
          int offset = random.nextInt(content.length + 10_000);
          byte[] target = new byte[2 * MIB + 100];
          int length = random.nextInt(2 * MIB);
          int count = reader.read(descriptor.fd(), offset, target, 50, length);
          int there = Math.max(0, Math.min(length, content.length - offset));
          assertEquals(there, count, "seed " + seed);
          assertTrue(
              there == 0 || Arrays.equals(content, offset, offset + there, target, 50, 50 + there),
              "seed " + seed);
        }
      }
    }
  }

  @Test
  void residentMebibyteCostsSixCallsAndNoCopy() throws IOException {
    Path file = Files.write(directory.resolve("x"), random(2 * MIB, 1));
    FaultyFileCalls counting = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (TailReader reader = new TailReader(counting.calls());
        Descriptor descriptor = open(counting.calls(), file)) {
      byte[] target = new byte[MIB];
      reader.read(descriptor.fd(), 0, target, 0, 100);
      long before = counting.callCount();
      assertEquals(MIB, reader.read(descriptor.fd(), 777, target, 0, MIB));
      List<String> calls = counting.log().subList((int) before, (int) counting.callCount());
      assertEquals(
          List.of(
              "fstat",
              "cachestat",
              "preadCritical",
              "preadCritical",
              "preadCritical",
              "preadCritical"),
          calls);
      assertEquals(0, reader.statistics().copiedBytes());
      assertEquals(MIB + 100, reader.statistics().totalBytes());
      assertEquals(counting.callCount() - 1, reader.statistics().systemCalls());
    }
  }

  @Test
  void aFileWhoseResidencyIsNotToldKeepsItsPagesAndOthersTheirCriticalReads() throws IOException {
    Path foreign = Files.write(directory.resolve("foreign"), random(MIB, 1));
    Path own = Files.write(directory.resolve("own"), random(MIB, 2));
    AtomicBoolean refusing = new AtomicBoolean(true);
    FaultPlan refuse =
        FaultPlan.when(call -> refusing.get() && call.is("cachestat"), new Fault.Fail(Errno.EPERM));
    FileCalls calls = FaultyFileCalls.wrap(real, refuse.or(NO_DONT_CACHE)).calls();
    try (TailReader reader = new TailReader(calls);
        Descriptor foreignFile = open(calls, foreign);
        Descriptor ownFile = open(calls, own)) {
      byte[] target = new byte[MIB];
      assertEquals(MIB, reader.read(foreignFile.fd(), 0, target, 0, MIB));
      assertEquals(0, reader.statistics().criticalBytes());
      assertEquals(MIB / 4096, cachedPages(foreign));
      refusing.set(false);
      assertEquals(MIB, reader.read(ownFile.fd(), 0, target, 0, MIB));
      assertEquals(MIB, reader.statistics().criticalBytes());
    }
  }

  @Test
  void coldMebibyteCostsSixCallsOrFifteen() throws IOException {
    Path file = Files.write(directory.resolve("x"), random(4 * MIB, 1));
    for (boolean dropsBehind : List.of(true, false)) {
      FaultyFileCalls counting =
          FaultyFileCalls.wrap(real, dropsBehind ? FaultPlan.none() : NO_DONT_CACHE);
      try (TailReader reader = new TailReader(counting.calls());
          Descriptor descriptor = open(counting.calls(), file)) {
        byte[] target = new byte[MIB];
        evict(file);
        reader.read(descriptor.fd(), 0, target, 0, MIB);
        assumeTrue(reader.statistics().coldBytes() == MIB, "cannot evict here");
        assumeTrue(!dropsBehind || reader.statistics().adviceCalls() == 0, "no RWF_DONTCACHE here");
        long before = counting.callCount();
        evict(file);
        assertEquals(MIB, reader.read(descriptor.fd(), 2L * MIB, target, 0, MIB));
        assertEquals(dropsBehind ? 6 : 15, counting.callCount() - before);
        assertEquals(2 * MIB, reader.statistics().copiedBytes());
        before = counting.callCount();
        assertEquals(MIB, reader.read(descriptor.fd(), 3L * MIB, target, 0, MIB));
        assertEquals(dropsBehind ? 5 : 15, counting.callCount() - before);
      }
    }
  }

  @Test
  void shortTailCostsThreeCalls() throws IOException {
    Path file = Files.write(directory.resolve("x"), random(5000, 1));
    FaultyFileCalls counting = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (TailReader reader = new TailReader(counting.calls());
        Descriptor descriptor = open(counting.calls(), file)) {
      byte[] target = new byte[MIB];
      reader.read(descriptor.fd(), 0, target, 0, MIB);
      long before = counting.callCount();
      assertEquals(300, reader.read(descriptor.fd(), 4700, target, 0, MIB));
      assertEquals(3, counting.callCount() - before);
      assertEquals(0, reader.read(descriptor.fd(), 5000, target, 0, MIB));
      assertEquals(4, counting.callCount() - before);
    }
  }

  @Test
  void whoHasSeenTheFileSavesTheLookAndReadsNoFurther() throws IOException {
    byte[] content = random(5000, 1);
    Path file = Files.write(directory.resolve("x"), content);
    FaultyFileCalls counting = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (TailReader reader = new TailReader(counting.calls());
        Descriptor descriptor = open(counting.calls(), file)) {
      FileStatus seen = real.fstat(descriptor.fd());
      byte[] target = new byte[MIB];
      reader.read(descriptor.fd(), seen, 0, target, 0, MIB);
      Files.write(file, new byte[1000], StandardOpenOption.APPEND);
      long before = counting.callCount();
      assertEquals(5000, reader.read(descriptor.fd(), seen, 0, target, 0, MIB));
      assertEquals(2, counting.callCount() - before);
      assertArrayEquals(content, Arrays.copyOf(target, 5000));
      assertEquals(0, reader.read(descriptor.fd(), seen, 5000, target, 0, MIB));
      assertEquals(2, counting.callCount() - before);
      truncate(file, 3000);
      assertEquals(3000, reader.read(descriptor.fd(), seen, 0, target, 0, MIB));
    }
  }

  @Test
  void remoteFileSystemIsNeverReadCritically() throws IOException {
    byte[] content = random(MIB, 1);
    Path file = Files.write(directory.resolve("x"), content);
    FileCalls calls = RemoteLooking.wrap(real);
    try (TailReader reader = new TailReader(calls);
        Descriptor descriptor = open(calls, file)) {
      byte[] target = new byte[MIB];
      assertEquals(MIB, reader.read(descriptor.fd(), 0, target, 0, MIB));
      assertArrayEquals(content, target);
      assertEquals(0, reader.statistics().criticalCalls());
      assertEquals(4, reader.statistics().ordinaryCalls());
    }
  }

  @Test
  void truncationMeanwhileGivesWhatThereIs() throws IOException {
    Path file = Files.write(directory.resolve("x"), random(MIB, 1));
    AtomicBoolean done = new AtomicBoolean();
    FaultPlan truncating =
        call -> {
          if (call.is("cachestat") && done.compareAndSet(false, true)) {
            truncate(file, 300_000);
          }
          return Fault.PROCEED;
        };
    FileCalls calls = FaultyFileCalls.wrap(real, truncating).calls();
    try (TailReader reader = new TailReader(calls);
        Descriptor descriptor = open(calls, file)) {
      assertEquals(300_000, reader.read(descriptor.fd(), 0, new byte[MIB], 0, MIB));
    }
  }

  private static void truncate(Path file, long sizeBytes) {
    try (java.nio.channels.FileChannel channel =
        java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void coldReadLeavesNoTraceOnExt4() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(64L * MIB, 4096)) {
      leavesNoTrace(ext4.root());
    }
  }

  @Test
  void coldReadLeavesNoTraceOnExt4WithSmallBlocks() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(64L * MIB, 1024)) {
      leavesNoTrace(ext4.root());
    }
  }

  @Test
  void coldReadLeavesNoTraceOnXfs() throws IOException {
    try (MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      leavesNoTrace(xfs.root());
    }
  }

  private void leavesNoTrace(Path root) throws IOException {
    byte[] content = random(8 * MIB + 1234, 5);
    Path file = Files.write(root.resolve("x"), content);
    for (FaultPlan kernel : List.of(FaultPlan.none(), NO_DONT_CACHE)) {
      FileCalls calls = FaultyFileCalls.wrap(real, kernel).calls();
      Traces.requireNone(() -> pagesLeft(calls, file, content));
    }
  }

  private long pagesLeft(FileCalls calls, Path file, byte[] content) throws IOException {
    evict(file);
    try (Descriptor descriptor = open(real, file)) {
      real.fadvise(descriptor.fd(), 0, 0, Advice.RANDOM);
      real.preadCritical(descriptor.fd(), new byte[64 * 1024], 0, 64 * 1024, 3 * MIB);
    }
    long others = cachedPages(file);
    try (TailReader reader = new TailReader(calls);
        Descriptor descriptor = open(calls, file)) {
      byte[] target = new byte[content.length];
      assertEquals(content.length, reader.read(descriptor.fd(), 0, target, 0, content.length));
      assertArrayEquals(content, target);
      return cachedPages(file) - others;
    }
  }

  @Test
  void readsTmpfs() throws IOException {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(16L * MIB)) {
      byte[] content = random(4 * MIB + 3, 5);
      Path file = Files.write(tmpfs.root().resolve("x"), content);
      try (TailReader reader = new TailReader(real);
          Descriptor descriptor = open(real, file)) {
        byte[] target = new byte[content.length];
        assertEquals(content.length, reader.read(descriptor.fd(), 0, target, 0, content.length));
        assertArrayEquals(content, target);
        assertEquals(content.length, reader.statistics().criticalBytes());
      }
    }
  }

  @Test
  void allocatesNothingButTheAnswersOfTheCalls() throws IOException {
    Path file = Files.write(directory.resolve("x"), random(MIB, 1));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (TailReader reader = new TailReader(real);
        Descriptor descriptor = open(real, file)) {
      byte[] target = new byte[MIB];
      int rounds = 3000;
      long perRead = Long.MAX_VALUE;
      // The law holds from when the reader is compiled, which takes its time on a busy machine.
      for (int batch = 0; batch < 100 && perRead >= 1024; batch++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < rounds; i++) {
          reader.read(descriptor.fd(), 0, target, 0, MIB);
        }
        perRead = (threads.getCurrentThreadAllocatedBytes() - before) / rounds;
      }
      assertTrue(perRead < 1024, perRead + " bytes allocated per read");
    }
  }

  @Test
  void refusesRangesOutsideTheArray() throws IOException {
    try (TailReader reader = new TailReader(real)) {
      org.junit.jupiter.api.Assertions.assertThrows(
          IndexOutOfBoundsException.class, () -> reader.read(0, 0, new byte[10], 5, 6));
      org.junit.jupiter.api.Assertions.assertThrows(
          IllegalArgumentException.class, () -> reader.read(0, -1, new byte[10], 5, 5));
    }
  }
}
