package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.PageSize;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Durability;
import dev.tailwater.store.ReadStatistics;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.simulated.Eventually;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gets that copy values straight out of mapped memory, on a real file system. */
class MappedGetTest {
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);
  private static final WriteOptions SHORT = NONE.withTimeToLive(Duration.ofMillis(1));
  private static final int KEYS = 200;

  private final FileCalls calls = LinuxFileCalls.create();
  private final AtomicLong nowMillis = new AtomicLong(1_000_000);

  /** Number of the last write that has begun, and of the last that has ended, of each key. */
  private final AtomicIntegerArray begun = new AtomicIntegerArray(KEYS);

  private final AtomicIntegerArray ended = new AtomicIntegerArray(KEYS);

  @TempDir Path temporary;

  /** Every third write removes, every fourth is of a value that has expired when it ends. */
  private static boolean leavesAValue(int write) {
    return write > 0 && write % 3 != 0 && write % 4 != 0;
  }

  /** Half of the keys share their hashes with another one. */
  private static long hash(byte[] key) {
    int number = Integer.parseInt(Texts.text(key).substring(3));
    return (number < KEYS / 2 ? number : number | 1) * 0x9E37_79B9_7F4A_7C15L;
  }

  @Test
  void givesAValueOfItsTimeWhileItIsReplacedRemovedExpiredAndMoved() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (DataFileStore store = openWithCollisions();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Random random = new Random(i);
        others.add(
            threads.submit(
                () -> {
                  while (!done.get()) {
                    getAndCheck(store, random.nextInt(KEYS));
                  }
                  return null;
                }));
      }
      others.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  store.vacuum();
                }
                return null;
              }));
      try {
        Random random = new Random(100);
        Eventually.until(
            () -> {
              write(store, random, 2000);
              return store.statistics().reads().mappedReads() > 20_000
                  && store.statistics().vacuum().rewrittenFiles() > 20;
            },
            () -> "too little happened: " + store.statistics());
      } finally {
        done.set(true);
      }
      for (Future<?> other : others) {
        other.get();
      }
      for (int key = 0; key < KEYS; key++) {
        getAndCheck(store, key);
      }
    }
  }

  private void write(DataFileStore store, Random random, int count) {
    try {
      for (int i = 0; i < count; i++) {
        int key = random.nextInt(KEYS);
        int write = begun.incrementAndGet(key);
        if (write % 3 == 0) {
          store.remove(key(key), NONE);
        } else if (write % 4 == 0) {
          store.put(key(key), value(key, write), SHORT);
          nowMillis.incrementAndGet();
        } else {
          store.put(key(key), value(key, write), NONE);
        }
        ended.set(key, write);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void getAndCheck(DataFileStore store, int key) throws IOException {
    int from = ended.get(key);
    byte[] value = store.get(key(key)).orElse(null);
    int to = begun.get(key);
    if (value == null) {
      boolean maybe = false;
      for (int write = from; write <= to; write++) {
        maybe |= !leavesAValue(write);
      }
      assertTrue(maybe, "key " + key + " has no value, writes " + from + " to " + to);
    } else {
      int write = ByteBuffer.wrap(value).getInt();
      assertTrue(write >= from && write <= to, write + " is not in " + from + " to " + to);
      assertArrayEquals(value(key, write), value);
    }
  }

  private DataFileStore openWithCollisions() throws IOException {
    return DataFileStore.open(
        calls,
        PosixPath.of(temporary.resolve("store")),
        DataFileOptions.defaults()
            .withFileBytes(256 * 1024)
            .withClock(() -> Instant.ofEpochMilli(nowMillis.get()))
            .withReads(ReadOptions.defaults().withCacheBytes(100_000)),
        identity -> MappedGetTest::hash);
  }

  /**
   * The cache is shown what is hot while it is not needed. Then it is: zeros stand where the
   * records were, so nobody else can give their values.
   */
  @Test
  void theCacheHasWhatWasHotInMappedMemoryAndNotWhatWasReadOnce() throws IOException {
    int hot = 40;
    int firstHot = 1000; // not in the page that is left
    int all = 5000;
    try (DataFileStore store = open()) {
      for (int key = 0; key < all; key++) {
        store.put(key(key), value(key, 1), NONE);
      }
    }
    try (DataFileStore store = open()) {
      Random random = new Random(1);
      Eventually.until(
          () -> {
            for (int i = 0; i < 10_000; i++) {
              get(store, firstHot + random.nextInt(hot));
              get(store, random.nextInt(all)); // hardly ever the same
            }
            return store.statistics().reads().mappedReads() > 500_000;
          },
          () -> "not mapped: " + store.statistics().reads());
      ReadStatistics before = store.statistics().reads();
      assertTrue(before.cacheEntries() < all / 2, before::toString);
      cutFiles();
      int found = 0;
      for (int key = firstHot; key < firstHot + hot; key++) {
        found += isCached(store, key) ? 1 : 0;
      }
      ReadStatistics after = store.statistics().reads();
      assertEquals(found, after.cachedReads() - before.cachedReads(), after::toString);
      // What is shown is sampled, and the cache's counts are estimates: now and then one is
      // missing.
      assertTrue(found >= hot - 4, found + " of " + hot + " are cached: " + after);
    }
  }

  /** Whether the value is given though its file has only zeros there. */
  private static boolean isCached(DataFileStore store, int key) throws IOException {
    try {
      assertArrayEquals(value(key, 1), store.get(key(key)).orElseThrow());
      return true;
    } catch (DamagedStoreException notCached) {
      return false;
    }
  }

  private static void get(DataFileStore store, int key) {
    try {
      assertArrayEquals(value(key, 1), store.get(key(key)).orElseThrow());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void cutFiles() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("store"))) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith("data-")) {
          try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(PageSize.bytes());
          }
        }
      }
    }
  }

  private DataFileStore open() throws IOException {
    return DataFileStore.open(
        calls,
        PosixPath.of(temporary.resolve("store")),
        DataFileOptions.defaults().withReads(ReadOptions.defaults().withCacheBytes(400_000)));
  }

  private static byte[] key(int number) {
    return Texts.bytes("key" + number);
  }

  private static byte[] value(int key, int write) {
    byte[] value = new byte[8 + (key + write) % 300];
    Arrays.fill(value, (byte) (key * 31 + write));
    ByteBuffer.wrap(value).putInt(write).putInt(key);
    return value;
  }
}
