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
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.ReadFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page cache holds, on the real kernel. */
final class PageCacheTest {
  private static final int MIB = 1 << 20;
  private static final int FILE_BYTES = 8 * MIB + 5000;
  private static final FaultPlan NO_CACHESTAT = FaultPlan.failAll("cachestat", Errno.ENOSYS);

  private final FileCalls real = LinuxFileCalls.create();

  @TempDir Path directory;

  /** A file on the disk whose pages are not resident. */
  private Path coldFile() throws IOException {
    byte[] content = new byte[FILE_BYTES];
    new SplittableRandom(1).nextBytes(content);
    Path path = Files.write(directory.resolve("file"), content);
    try (Descriptor file = open(real, path)) {
      PageCache cache = PageCache.of(file);
      cache.writeBackAndDrop(cache.wholeFile());
      assumeTrue(cache.residency(cache.wholeFile()).none(), "cannot evict here");
    }
    return path;
  }

  private static Descriptor open(FileCalls calls, Path path) throws IOException {
    return Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of());
  }

  private static FileCalls with(FileCalls real, FaultPlan plan) {
    return FaultyFileCalls.wrap(real, plan).calls();
  }

  @Test
  void cachestatAndMincoreCountTheSamePages() throws IOException {
    Path path = coldFile();
    try (Descriptor file = open(real, path);
        Descriptor old = open(with(real, NO_CACHESTAT), path)) {
      PageCache cache = PageCache.of(file);
      PageCache oldCache = PageCache.of(old);
      real.fadvise(file.fd(), 0, 0, dev.tailwater.posix.value.Advice.RANDOM);
      real.preadCritical(file.fd(), new byte[50_000], 0, 50_000, 3 * MIB + 100);
      for (FileRange range :
          List.of(
              cache.wholeFile(),
              new FileRange(3 * MIB + 100, 50_000),
              new FileRange(3 * MIB + 100, 1),
              new FileRange(0, 3 * MIB),
              new FileRange(17, 0),
              new FileRange(8 * MIB, 5000))) {
        CacheResidency said = cache.residency(range);
        CacheResidency counted = oldCache.residency(range);
        assertEquals(said.pages(), counted.pages());
        assertEquals(said.residentPages(), counted.residentPages(), range.toString());
        assertEquals(said.all(), counted.all());
      }
      assertTrue(cache.residency(new FileRange(3 * MIB + 100, 50_000)).all());
      assertEquals(13, cache.residency(cache.wholeFile()).residentPages().orElseThrow());
      assertEquals(ResidencySource.MINCORE, oldCache.residency(new FileRange(0, MIB)).source());
    }
  }

  @Test
  void mincoreIsNotBelievedForAFileThatMayNotBeWritten() throws IOException {
    Path path = coldFile();
    try (Descriptor file = open(notWritable(with(real, NO_CACHESTAT)), path)) {
      CacheResidency said = PageCache.of(file).residency(new FileRange(0, MIB));
      assertEquals(ResidencySource.UNKNOWN, said.source());
      assertEquals(256, said.pages());
      assertFalse(said.all() || said.none());
    }
  }

  private static FileCalls notWritable(FileCalls calls) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              try {
                return method.getName().equals("mayWrite")
                    ? false
                    : method.invoke(calls, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
  }

  private static long changedPages(CacheResidency residency) {
    return residency.dirtyPages().orElseThrow() + residency.writebackPages().orElseThrow();
  }

  @Test
  void tellsChangedPagesFromClean() throws IOException {
    Path path = coldFile();
    try (Descriptor file = open(real, path)) {
      PageCache cache = PageCache.of(file);
      FileRange first = new FileRange(0, 64 * 1024);
      CacheResidency changed;
      int tries = 0;
      do { // The kernel may be writing back just then.
        Files.write(path, new byte[64 * 1024], java.nio.file.StandardOpenOption.WRITE);
        changed = cache.residency(first);
        tries++;
      } while (changedPages(changed) < 16 && tries < 20);
      assertEquals(16, changed.residentPages().orElseThrow());
      assertEquals(16, changedPages(changed));
      cache.writeBackAndDrop(first);
      assertTrue(cache.residency(first).none());
    }
  }

  @Test
  void prefetchBringsInMoreThanOneAdviceWould() throws Exception {
    try (Descriptor file = open(with(real, FaultPlan.none()), coldFile())) {
      PageCache cache = PageCache.of(file);
      FileRange range = new FileRange(MIB, 6 * MIB);
      cache.prefetch(range);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!cache.residency(range).all()) {
        assertTrue(System.nanoTime() < deadline, cache.residency(range).toString());
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  @Test
  void prefetchOfResidentPagesCostsAQuestionForTwoMebibytes() throws Exception {
    Path path = coldFile();
    Files.readAllBytes(path);
    FaultyFileCalls counting = FaultyFileCalls.wrap(real, FaultPlan.none());
    try (Descriptor file = open(counting.calls(), path)) {
      PageCache cache = PageCache.of(file);
      assumeTrue(cache.residency(cache.wholeFile()).all(), "pages do not stay here");
      long before = counting.callCount();
      cache.prefetch(new FileRange(0, 8 * MIB));
      assertEquals(1 + 4, counting.callCount() - before, counting.log().toString());
    }
  }

  @Test
  void dropLeavesWhatLiesOutside() throws IOException {
    Path path = coldFile();
    Files.readAllBytes(path);
    try (Descriptor file = open(real, path)) {
      PageCache cache = PageCache.of(file);
      assumeTrue(cache.residency(cache.wholeFile()).all(), "pages do not stay here");
      cache.drop(new FileRange(MIB, 2 * MIB));
      cache.drop(new FileRange(7 * MIB, 0));
      assertTrue(cache.residency(new FileRange(MIB, 2 * MIB)).none());
      assertTrue(cache.residency(new FileRange(0, MIB)).all());
      assertTrue(cache.residency(FileRange.between(3 * MIB, FILE_BYTES)).all());
      cache.drop(cache.wholeFile());
      assertTrue(cache.residency(cache.wholeFile()).none());
    }
  }

  @Test
  void readsWithoutTracesWhateverWasResident() throws IOException {
    Path path = coldFile();
    byte[] content = Files.readAllBytes(path);
    FaultPlan noDontCache =
        FaultPlan.when(
            call -> call.is("preadv2") && call.arguments().contains(Set.of(ReadFlag.DONT_CACHE)),
            new Fault.Fail(Errno.EOPNOTSUPP));
    for (FaultPlan kernel : List.of(FaultPlan.none(), noDontCache)) {
      try (Descriptor file = open(with(real, kernel), path)) {
        PageCache cache = PageCache.of(file);
        Traces.requireNone(() -> pagesLeft(file, cache, content));
        byte[] tail = new byte[10_000];
        assertEquals(3000, cache.readWithoutCaching(FILE_BYTES - 3000, tail, 0, 10_000));
        assertEquals(0, cache.readWithoutCaching(FILE_BYTES, tail, 0, 10_000));
        assertEquals(content[FILE_BYTES - 1], tail[2999]);
      }
    }
    assertArrayEquals(content, Files.readAllBytes(path));
  }

  private long pagesLeft(Descriptor file, PageCache cache, byte[] content) throws IOException {
    cache.drop(cache.wholeFile());
    real.fadvise(file.fd(), 0, 0, dev.tailwater.posix.value.Advice.RANDOM);
    real.preadCritical(file.fd(), new byte[100_000], 0, 100_000, MIB);
    long before = cache.residency(cache.wholeFile()).residentPages().orElseThrow();
    byte[] target = new byte[3 * MIB];
    assertEquals(3 * MIB - 10, cache.readWithoutCaching(77, target, 10, 3 * MIB - 10));
    assertEquals(
        -1,
        MemorySegment.ofArray(content)
            .asSlice(77, 3L * MIB - 10)
            .mismatch(MemorySegment.ofArray(target).asSlice(10)));
    return cache.residency(cache.wholeFile()).residentPages().orElseThrow() - before;
  }

  @Test
  void isOfRegularFilesOnly() throws IOException {
    try (Descriptor place =
        Descriptor.open(real, FileCalls.AT_FDCWD, PosixPath.of(directory), Set.of(), 0)) {
      assertThrows(NotARegularFileException.class, () -> PageCache.of(place));
    }
  }
}
