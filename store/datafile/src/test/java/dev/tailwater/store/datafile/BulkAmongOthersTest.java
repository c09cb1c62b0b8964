package dev.tailwater.store.datafile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bulks whose puts are not durable yet when others change the same keys. */
final class BulkAmongOthersTest {
  private static final int KEYS = 5_000;
  private static final WriteOptions DURABLE =
      WriteOptions.defaults().withDurability(Durability.GROUP);
  private static final WriteOptions UNSYNCED =
      WriteOptions.defaults().withDurability(Durability.NONE);

  @TempDir private Path directory;

  private DataFileStore open() throws IOException {
    return DataFileStore.open(
        LinuxFileCalls.create(), PosixPath.of(directory), DataFileOptions.defaults());
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(UTF_8);
  }

  /** Each key twice in one bulk, so that the second builds on the first. */
  private static Iterable<BulkPut> puts(int generation) {
    byte[] value = new byte[500];
    value[0] = (byte) ('a' + generation);
    return () ->
        IntStream.range(0, 2 * KEYS).mapToObj(i -> BulkPut.of(key(i % KEYS), value)).iterator();
  }

  @Test
  void othersBuildOnPutsOfABulkThatAreNotDurableYet() throws Exception {
    Map<String, String> seen;
    AtomicBoolean over = new AtomicBoolean();
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (var store = open();
        var threads = Executors.newFixedThreadPool(2)) {
      Callable<Integer> updating =
          () -> {
            Random random = new Random(seed);
            int made = 0;
            while (!over.get() || made < 100) {
              byte[] key = key(random.nextInt(KEYS));
              switch (random.nextInt(4)) {
                case 0 -> store.put(key, key, UNSYNCED);
                case 1 -> store.remove(key, DURABLE);
                case 2 -> store.update(key, current -> new Update.Decision.Put(key), UNSYNCED);
                default -> store.update(key, current -> new Update.Decision.Remove(), DURABLE);
              }
              made++;
            }
            return made;
          };
      Future<Integer> first = threads.submit(updating);
      for (int generation = 0; generation < 5; generation++) {
        store.putAll(puts(generation), DURABLE);
      }
      over.set(true);
      first.get();
      seen = Texts.contents(store);
    }
    Files.delete(directory.resolve(IndexCheckpoint.NAME.toString())); // the log itself is read
    try (var store = open()) {
      assertEquals(seen, Texts.contents(store), "what is in the log in its order");
    }
  }
}
