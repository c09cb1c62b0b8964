package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.DiskStatistics;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.store.Durability;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the disk is asked for, counted by the kernel on a loop device. Needs root. */
class ColdReadTest {
  private static final int KEYS = 4000;
  private static final int STEP = 37;

  private final FileCalls calls = LinuxFileCalls.create();

  /** The values are so long that every third record lies on two pages. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aColdGetIsOneReadOfTheRecordsPages(boolean direct) throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(64 << 20, 4096)) {
      fill(mounted.root());
      dropPageCache(mounted.root()); // while nothing is mapped: what is mapped stays
      ReadOptions way = ReadOptions.defaults().withDirect(direct).withCacheBytes(0);
      try (DataFileStore store = open(mounted.root(), way)) {
        assertTrue(store.get(key(0)).isPresent()); // where the file's blocks are is read, too
        for (int i = STEP; i < KEYS; i += STEP) {
          DiskStatistics before = mounted.diskStatistics();
          assertArrayEquals(value(i), store.get(key(i)).orElseThrow());
          DiskStatistics asked = mounted.diskStatistics().since(before);
          assertEquals(1, asked.reads(), () -> "reads of one get: " + asked);
          assertTrue(asked.readBytes() <= 2 * 4096, () -> "more than its pages: " + asked);
        }
        assertEquals(direct, store.statistics().reads().directReads() > 0, "past the page cache");
      }
    }
  }

  @Test
  void getAllReadsEachRecordsPagesOnce() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(64 << 20, 4096)) {
      fill(mounted.root());
      dropPageCache(mounted.root()); // while nothing is mapped: what is mapped stays
      ReadOptions way = ReadOptions.defaults().withCacheBytes(0);
      try (DataFileStore store = open(mounted.root(), way)) {
        assertTrue(store.get(key(0)).isPresent());
        List<byte[]> keys = new ArrayList<>();
        for (int i = STEP; i < KEYS; i += STEP) {
          keys.add(key(i));
        }
        DiskStatistics before = mounted.diskStatistics();
        store.getAll(keys);
        DiskStatistics asked = mounted.diskStatistics().since(before);
        assertEquals(keys.size(), asked.reads());
      }
    }
  }

  private void fill(Path root) throws IOException {
    WriteOptions none = WriteOptions.defaults().withDurability(Durability.NONE);
    try (DataFileStore store = open(root, ReadOptions.defaults())) {
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), value(i), none);
      }
    }
  }

  private void dropPageCache(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("store"))) {
      for (Path file : files.toList()) {
        try (Descriptor descriptor =
            Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
          PageCache cache = PageCache.of(descriptor);
          cache.writeBackAndDrop(cache.wholeFile());
        }
      }
    }
  }

  private DataFileStore open(Path root, ReadOptions way) throws IOException {
    return DataFileStore.open(
        calls, PosixPath.of(root.resolve("store")), DataFileOptions.defaults().withReads(way));
  }

  private static byte[] key(int number) {
    return Texts.bytes("key" + number);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[1300];
    new Random(number).nextBytes(value);
    return value;
  }
}
