package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every mode of the store shows of one moment, of a slot and of a tag. */
public abstract class SnapshotContract {
  private static final WriteOptions QUICK = WriteOptions.defaults().withDurability(Durability.NONE);
  private static final byte[] ALL = {};

  private final AtomicLong now = new AtomicLong(1_000_000);

  @TempDir Path temporary;

  /** The store of the mode in this directory. */
  protected abstract KeyValueStore open(FileCalls calls, PosixPath directory, InstantSource clock)
      throws IOException;

  private KeyValueStore open() throws IOException {
    return open(
        LinuxFileCalls.create(),
        PosixPath.of(temporary.resolve("store")),
        () -> Instant.ofEpochMilli(now.get()));
  }

  @Test
  void showsWhatWasThereWhateverIsWrittenLater() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      put(store, "b", "2");
      try (StoreSnapshot first = store.snapshot()) {
        put(store, "a", "3");
        store.remove(Texts.bytes("b"));
        put(store, "c", "4");
        try (StoreSnapshot second = store.snapshot()) {
          put(store, "c", "5");
          assertEquals(Map.of("a", "1", "b", "2"), contents(first));
          assertEquals(Map.of("a", "3", "c", "4"), contents(second));
          assertEquals(Map.of("a", "3", "c", "5"), Texts.contents(store));
          assertEquals(2, first.size());
          assertEquals(Optional.of("1"), first.get(Texts.bytes("a")).map(Texts::text));
          assertEquals("2", Texts.text(first.find(Texts.bytes("b")).orElseThrow().value()));
          assertEquals(Optional.empty(), first.get(Texts.bytes("c")));
          assertEquals(Optional.empty(), second.find(Texts.bytes("b")));
        }
      }
    }
  }

  @Test
  void showsOfABatchAllOrNothingWhileWritersGoOn() throws Exception {
    try (KeyValueStore store = open()) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 300; i++) {
                      WriteBatch batch = new WriteBatch();
                      for (int key = 0; key < 20; key++) {
                        batch.put(Texts.bytes("k" + key), Texts.bytes("" + i));
                      }
                      apply(store, batch);
                    }
                  });
      int looks = 0;
      while (writer.isAlive() || looks == 0) {
        Map<String, String> seen = Texts.contents(store);
        assertTrue(seen.isEmpty() || seen.size() == 20, "keys: " + seen.size());
        assertTrue(Set.copyOf(seen.values()).size() <= 1, "of several batches: " + seen);
        looks++;
      }
      writer.join();
    }
  }

  private static void apply(KeyValueStore store, WriteBatch batch) {
    try {
      store.apply(batch, QUICK);
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void judgesExpiryAsOfItsMoment() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("a"), Texts.bytes("1"), QUICK.withTimeToLive(Duration.ofMillis(10)));
      try (StoreSnapshot before = store.snapshot()) {
        now.addAndGet(10);
        try (StoreSnapshot after = store.snapshot()) {
          assertEquals(Map.of("a", "1"), contents(before));
          assertTrue(before.get(Texts.bytes("a")).isPresent());
          assertEquals(Map.of(), contents(after));
          assertEquals(Optional.empty(), after.find(Texts.bytes("a")));
          assertEquals(Duration.ofMillis(10), store.statistics().snapshots().oldestAge());
          assertEquals(2, store.statistics().snapshots().open());
        }
      }
      assertEquals(0, store.statistics().snapshots().open());
    }
  }

  @Test
  void letsTheActionOfAnIterationWrite() throws IOException {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 50; i++) {
        store.put(Texts.bytes("k" + i), Texts.bytes("v"), QUICK);
      }
      List<String> seen = new ArrayList<>();
      store.forEach(
          ALL,
          (key, value) -> {
            seen.add(Texts.text(key) + "=" + Texts.text(value));
            try {
              store.put(key, Texts.bytes("w"), QUICK);
              store.put(Texts.bytes("new" + Texts.text(key)), value, QUICK);
            } catch (IOException failed) {
              throw new AssertionError(failed);
            }
          });
      assertEquals(50, seen.size(), "" + seen);
      assertTrue(seen.stream().allMatch(entry -> entry.endsWith("=v")), "" + seen);
      assertEquals(100, Texts.contents(store).size());
    }
  }

  @Test
  void endsSnapshotsWithItselfAndWithTheStore() throws IOException {
    KeyValueStore store = open();
    put(store, "a", "1");
    StoreSnapshot closed = store.snapshot();
    closed.close();
    closed.close();
    assertThrows(IllegalStateException.class, () -> closed.get(Texts.bytes("a")));
    StoreSnapshot left = store.snapshot();
    List<String> seen = new ArrayList<>();
    put(store, "b", "2");
    assertThrows(
        IllegalStateException.class,
        () ->
            store.forEach(
                ALL,
                (key, value) -> {
                  seen.add(Texts.text(key));
                  closeQuietly(store);
                }));
    assertEquals(1, seen.size());
    assertThrows(IllegalStateException.class, left::size);
    assertThrows(IllegalStateException.class, () -> contents(left));
    left.close();
    assertThrows(IllegalStateException.class, store::snapshot);
    try (KeyValueStore again = open()) {
      assertEquals(Map.of("a", "1", "b", "2"), Texts.contents(again));
    }
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void hasEveryKeyInOneSlotAndInTheSameOneAfterReopening() throws IOException {
    Map<String, Integer> slots = new HashMap<>();
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 2000; i++) {
        store.put(Texts.bytes("k" + i), Texts.bytes("v"), QUICK);
        slots.put("k" + i, store.slotOf(Texts.bytes("k" + i)));
      }
    }
    try (KeyValueStore store = open();
        StoreSnapshot snapshot = store.snapshot()) {
      Map<String, Integer> found = new HashMap<>();
      for (int slot = 0; slot < KeyValueStore.SLOTS; slot++) {
        int of = slot;
        snapshot.forEachInSlot(slot, entry -> found.put(Texts.text(entry.key()), of));
      }
      assertEquals(slots, found);
      Map<Integer, List<Integer>> sizes = new HashMap<>();
      found.values().forEach(of -> sizes.computeIfAbsent(of, any -> new ArrayList<>()).add(of));
      assertTrue(sizes.size() > 250, "slots with keys: " + sizes.size());
      List<String> some = new ArrayList<>();
      snapshot.forEachInSlots(slot -> slot % 2 == 0, entry -> some.add(Texts.text(entry.key())));
      assertEquals(slots.values().stream().filter(of -> of % 2 == 0).count(), some.size());
      assertThrows(IllegalArgumentException.class, () -> snapshot.forEachInSlot(256, entry -> {}));
    }
  }

  @Test
  void findsKeysByTheirTags() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("a"), Texts.bytes("1"), tags("red", "big"));
      store.put(Texts.bytes("b"), Texts.bytes("2"), tags("red"));
      store.put(Texts.bytes("c"), Texts.bytes("3"), tags("re"));
      store.put(Texts.bytes("d"), Texts.bytes("4"), QUICK);
      assertEquals(Map.of("a", "1", "b", "2"), withTag(store, "red"));
      assertEquals(Map.of("c", "3"), withTag(store, "re"));
      assertEquals(Map.of(), withTag(store, "r"));
      try (StoreSnapshot before = store.snapshot()) {
        store.put(Texts.bytes("a"), Texts.bytes("5"), tags("blue"));
        store.append(Texts.bytes("b"), Texts.bytes("x"), QUICK);
        store.remove(Texts.bytes("c"));
        store.put(Texts.bytes("d"), Texts.bytes("6"), tags("red"));
        assertEquals(Map.of("b", "2x", "d", "6"), withTag(store, "red"));
        assertEquals(Map.of(), withTag(store, "re"));
        assertEquals(Map.of("a", "5"), withTag(store, "blue"));
        Map<String, String> then = new TreeMap<>();
        before.forEachWithTag("red", into(then));
        assertEquals(Map.of("a", "1", "b", "2"), then);
      }
      store.put(
          Texts.bytes("e"), Texts.bytes("7"), tags("red").withTimeToLive(Duration.ofMillis(5)));
      now.addAndGet(5);
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("b", "2x", "d", "6"), withTag(store, "red"));
      assertEquals(Map.of(), withTag(store, "big"));
      assertThrows(IllegalArgumentException.class, () -> withTag(store, ""));
    }
  }

  @Test
  void countsTheEntriesOfEveryTag() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(Texts.bytes("a"), Texts.bytes("1"), tags("red", "big"));
      store.put(Texts.bytes("b"), Texts.bytes("2"), tags("red"));
      store.put(Texts.bytes("c"), Texts.bytes("3"), tags("gone"));
      store.put(Texts.bytes("c"), Texts.bytes("3"), tags("gr\u00fcn"));
      assertEquals(Map.of("red", 2L, "big", 1L, "gr\u00fcn", 1L), store.tags());
      store.remove(Texts.bytes("a"));
      assertEquals(Map.of("red", 1L, "gr\u00fcn", 1L), store.tags());
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("red", 1L, "gr\u00fcn", 1L), store.tags());
    }
  }

  @Test
  void purgesWhatHasExpiredAndNothingElse() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "stays", "0");
      for (int i = 0; i < 300; i++) {
        store.put(
            Texts.bytes("k" + i),
            Texts.bytes("" + i),
            tags("t").withTimeToLive(Duration.ofMillis(1 + 10 * i)));
      }
      store.put(Texts.bytes("k7"), Texts.bytes("again"), QUICK);
      now.addAndGet(1001);
      assertEquals(301, store.statistics().keys(), "nobody has taken them away");
      List<String> purged = new ArrayList<>();
      assertEquals(40, store.purgeExpired(40, entry -> purged.add(Texts.text(entry.key()))));
      assertEquals(40, purged.size());
      assertEquals(261, store.statistics().keys());
      assertEquals(60, store.purgeExpired(1000, entry -> purged.add(Texts.text(entry.key()))));
      assertEquals(100, Set.copyOf(purged).size());
      assertEquals(0, store.purgeExpired(1000, entry -> purged.add(Texts.text(entry.key()))));
      assertEquals(201, store.statistics().keys());
      assertEquals(201, Texts.contents(store).size());
      assertEquals(Map.of("t", 199L), store.tags());
      assertEquals(Optional.of("again"), store.get(Texts.bytes("k7")).map(Texts::text));
    }
    try (KeyValueStore store = open()) {
      assertEquals(201, store.statistics().keys());
    }
  }

  @Test
  void takesAwayByItselfWhatExpiredLongAgo() throws IOException {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 30; i++) {
        store.put(
            Texts.bytes("k" + i), Texts.bytes("" + i), QUICK.withTimeToLive(Duration.ofSeconds(1)));
      }
      now.addAndGet(200_000);
      put(store, "other", "1");
      Eventually.until(() -> store.statistics().keys() == 1, () -> "what expired is still there");
    }
  }

  /** Every view shows what a plain map held when it was taken, whichever others are closed. */
  @Test
  void agreesWithAModelWithSeveralSnapshotsAtOnce() throws IOException {
    for (long seed = 1; seed <= 6; seed++) {
      runAgainstModel(seed);
    }
  }

  private record Held(StoreSnapshot snapshot, Map<String, String> model) {}

  private void runAgainstModel(long seed) throws IOException {
    Random random = new Random(seed);
    String place = "seed " + seed;
    FileCalls calls = new SimulatedFileSystem().calls();
    Map<String, String> model = new TreeMap<>();
    List<Held> held = new ArrayList<>();
    KeyValueStore store =
        open(calls, SimulatedFileSystem.STORE, () -> Instant.ofEpochMilli(now.get()));
    try {
      for (int step = 0; step < 1500; step++) {
        String key = "key" + random.nextInt(200);
        switch (random.nextInt(40)) {
          case 0 -> held.add(new Held(store.snapshot(), new TreeMap<>(model)));
          case 1, 2 -> {
            if (!held.isEmpty()) {
              Collections.shuffle(held, random);
              Held one = held.removeLast();
              check(place, one);
              one.snapshot().close();
            }
          }
          case 3 -> {
            if (step > 700 && random.nextInt(5) == 0) {
              store.close();
              held.clear();
              store = open(calls, SimulatedFileSystem.STORE, () -> Instant.ofEpochMilli(now.get()));
            }
          }
          case 4, 5, 6, 7, 8, 9 -> {
            model.remove(key);
            store.remove(Texts.bytes(key), QUICK);
          }
          default -> {
            String tag = "t" + random.nextInt(4);
            model.put(key, tag + "/" + step);
            store.put(Texts.bytes(key), Texts.bytes(tag + "/" + step), tags(tag));
          }
        }
      }
      for (Held one : held) {
        check(place, one);
        one.snapshot().close();
      }
      check(place, new Held(store.snapshot(), model));
    } finally {
      store.close();
    }
  }

  @Test
  void completesTheVisitWhoseActionClosesTheSnapshot() throws IOException {
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    try (KeyValueStore store = open(LinuxFileCalls.create(), directory, InstantSource.system())) {
      for (int i = 0; i < 100; i++) {
        store.put(Texts.bytes("key" + i), Texts.bytes("value"), tags("tag"));
      }
      for (Visit visit :
          List.<Visit>of(
              (snapshot, action) -> snapshot.forEach(new byte[0], action),
              (snapshot, action) -> snapshot.forEachInSlots(slot -> true, action),
              (snapshot, action) -> snapshot.forEachWithTag("tag", action))) {
        StoreSnapshot snapshot = store.snapshot();
        List<Entry> seen = new ArrayList<>();
        visit.visit(
            snapshot,
            entry -> {
              snapshot.close();
              seen.add(entry);
            });
        assertEquals(100, seen.size());
        assertThrows(IllegalStateException.class, () -> visit.visit(snapshot, entry -> {}));
      }
    }
  }

  /** One way to read all of a snapshot. */
  @FunctionalInterface
  private interface Visit {
    void visit(StoreSnapshot snapshot, Consumer<Entry> action) throws IOException;
  }

  private static void check(String place, Held held) throws IOException {
    assertEquals(held.model(), contents(held.snapshot()), place);
    assertEquals(held.model().size(), held.snapshot().size(), place);
    for (int i = 0; i < 4; i++) {
      Map<String, String> found = new TreeMap<>();
      held.snapshot().forEachWithTag("t" + i, into(found));
      Map<String, String> expected = new TreeMap<>(held.model());
      String start = "t" + i + "/";
      expected.values().removeIf(value -> !value.startsWith(start));
      assertEquals(expected, found, place + ", tag " + i);
    }
    for (int i = 0; i < 200; i += 7) {
      assertEquals(
          Optional.ofNullable(held.model().get("key" + i)),
          held.snapshot().get(Texts.bytes("key" + i)).map(Texts::text),
          place);
    }
  }

  private static WriteOptions tags(String... tags) {
    return QUICK.withTags(Set.of(tags));
  }

  private static Map<String, String> withTag(KeyValueStore store, String tag) throws IOException {
    Map<String, String> found = new TreeMap<>();
    store.forEachWithTag(tag, into(found));
    return found;
  }

  private static Map<String, String> contents(StoreSnapshot snapshot) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    snapshot.forEach(ALL, into(contents));
    return contents;
  }

  private static Consumer<Entry> into(Map<String, String> map) {
    return entry -> map.put(Texts.text(entry.key()), Texts.text(entry.value()));
  }

  private static void put(KeyValueStore store, String key, String value) throws IOException {
    store.put(Texts.bytes(key), Texts.bytes(value));
  }
}
