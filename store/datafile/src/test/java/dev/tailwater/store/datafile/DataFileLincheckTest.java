package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whether the store is linearizable, found out by Lincheck in stress mode: random programs of three
 * threads on three keys, two of which have the same hash, run again and again, and what they
 * returned compared with all orders in which a map could have done it.
 *
 * <p>Stress mode. Model checking was not tried: it runs one thread at a time by changing the
 * bytecode, and the store has native calls and a thread of its own that syncs.
 *
 * <p>Each part has a thread of its own and a time limit, or a writer that is never woken, which is
 * what was once found here, would keep the build for ever. It waits in a way that no interrupt
 * ends.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DataFileLincheckTest {
  private static final WriteOptions GROUP =
      WriteOptions.defaults().withDurability(Durability.GROUP);
  private static final WriteOptions NONE = WriteOptions.defaults().withDurability(Durability.NONE);

  /** One store for all runs, since opening one takes longer than a run; each has its own keys. */
  private static final AtomicLong RUNS = new AtomicLong();

  private static KeyValueStore store;

  @BeforeAll
  static void openStore() throws IOException {
    store =
        DataFileStore.open(
            new SimulatedFileSystem().calls(),
            SimulatedFileSystem.STORE,
            DataFileOptions.defaults().withFileBytes(32 * 1024),
            identity -> DataFileLincheckTest::hash);
  }

  @AfterAll
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  static void closeStore() throws IOException {
    store.close();
  }

  /** Keys are the number of the run and one of 0, 1 and 2: 0 and 2 have the same hash. */
  private static long hash(byte[] key) {
    String text = Texts.text(key);
    int slash = text.indexOf('/');
    long run = Long.parseLong(text.substring(0, slash));
    return (run * 0x9E3779B97F4A7C15L) << 1 | (text.charAt(slash + 1) & 1);
  }

  @Test
  void everyHistoryIsOneThatAMapCouldHave() {
    new StressOptions()
        .iterations(Soak.rounds(12, 400))
        .invocationsPerIteration(Soak.rounds(120, 2000))
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(2)
        .sequentialSpecification(MapOfNumbers.class)
        .check(StoreOfNumbers.class);
  }

  /** So that nobody takes silence for proof. */
  @Test
  void theCheckFindsAConditionThatIsLookedAtTooEarly() {
    StressOptions options =
        new StressOptions()
            // Few scenarios have the condition, and those that have it show it soon.
            .iterations(250)
            .invocationsPerIteration(200)
            .threads(2)
            .actorsPerThread(3)
            .minimizeFailedScenario(false)
            .sequentialSpecification(MapOfNumbers.class);
    AssertionError found =
        assertThrows(AssertionError.class, () -> options.check(RacyStoreOfNumbers.class));
    if (!String.valueOf(found.getMessage()).contains("Invalid execution results")) {
      throw found;
    }
  }

  /** The operations, in numbers: 0 stands for a key that is not there. */
  @Param(name = "key", gen = IntGen.class, conf = "0:2")
  @Param(name = "number", gen = IntGen.class, conf = "1:9")
  public static class StoreOfNumbers {
    private final long run = RUNS.incrementAndGet();

    private byte[] key(int number) {
      return Texts.bytes(run + "/" + number);
    }

    private static byte[] value(long number) {
      return Texts.bytes("" + number);
    }

    @Operation
    public long get(@Param(name = "key") int key) throws IOException {
      return store.get(key(key)).map(found -> Long.parseLong(Texts.text(found))).orElse(0L);
    }

    @Operation
    public void put(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      store.put(key(key), value(number), number % 2 == 0 ? GROUP : NONE);
    }

    @Operation
    public boolean putIfAbsent(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      return store.putIfAbsent(key(key), value(number), number % 2 == 0 ? GROUP : NONE).isPresent();
    }

    @Operation
    public boolean remove(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      return store.remove(key(key), number % 2 == 0 ? GROUP : NONE);
    }

    @Operation
    public long increment(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      return store.increment(key(key), number, number % 2 == 0 ? GROUP : NONE);
    }

    /** By versions: compare and set until nobody came between. */
    @Operation
    public long incrementByVersions(
        @Param(name = "key") int key, @Param(name = "number") int number) throws IOException {
      while (true) {
        Entry seen = store.find(key(key)).orElse(null);
        long before = seen == null ? 0 : Long.parseLong(Texts.text(seen.value()));
        OptionalLong set =
            store.compareAndSet(
                key(key), seen == null ? 0 : seen.version(), value(before + number), NONE);
        if (set.isPresent()) {
          return before + number;
        }
      }
    }

    @Operation
    public void append(@Param(name = "key") int key, @Param(name = "number") int digit)
        throws IOException {
      store.append(key(key), value(digit), digit % 2 == 0 ? GROUP : NONE);
    }

    /** Nobody ever sees the key without a value because of it. */
    @Operation
    public void replaceInABatch(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      store.apply(
          new WriteBatch()
              .put(key(key), value(number + 100))
              .remove(key(key))
              .put(key(key), value(number)),
          number % 2 == 0 ? GROUP : NONE);
    }

    @Operation
    public void putAllInABatch(@Param(name = "number") int number) throws IOException {
      store.apply(
          new WriteBatch()
              .put(key(3), value(number))
              .put(key(4), value(number))
              .put(key(5), value(number)),
          number % 2 == 0 ? GROUP : NONE);
    }

    /** A batch is seen as a whole by snapshots; plain gets may come in between. */
    @Operation
    public List<Long> snapshot() throws IOException {
      try (StoreSnapshot snapshot = store.snapshot()) {
        return List.of(of(snapshot, 3), of(snapshot, 4), of(snapshot, 5));
      }
    }

    private long of(StoreSnapshot snapshot, int key) throws IOException {
      return snapshot.get(key(key)).map(found -> Long.parseLong(Texts.text(found))).orElse(0L);
    }
  }

  /** Looks whether the key is there, and puts it, in two steps. */
  public static class RacyStoreOfNumbers extends StoreOfNumbers {
    @Operation
    @Override
    public boolean putIfAbsent(@Param(name = "key") int key, @Param(name = "number") int number)
        throws IOException {
      if (get(key) != 0) {
        return false;
      }
      put(key, number);
      return true;
    }
  }

  /** What the store is to do. */
  public static class MapOfNumbers {
    private final Map<Integer, Long> map = new HashMap<>();

    public long get(int key) {
      return map.getOrDefault(key, 0L);
    }

    public void put(int key, int number) {
      map.put(key, (long) number);
    }

    public boolean putIfAbsent(int key, int number) {
      return map.putIfAbsent(key, (long) number) == null;
    }

    public boolean remove(int key, int number) {
      return map.remove(key) != null;
    }

    public long increment(int key, int number) {
      return map.merge(key, (long) number, Long::sum);
    }

    public long incrementByVersions(int key, int number) {
      return increment(key, number);
    }

    public void append(int key, int digit) {
      map.put(key, get(key) * 10 + digit);
    }

    public void replaceInABatch(int key, int number) {
      put(key, number);
    }

    public void putAllInABatch(int number) {
      put(3, number);
      put(4, number);
      put(5, number);
    }

    public List<Long> snapshot() {
      return List.of(get(3), get(4), get(5));
    }
  }
}
