package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.NotANumberException;
import dev.tailwater.store.Update;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every mode of the store does, on a real file system. */
public abstract class KeyValueStoreContract {
  private static final WriteOptions PLAIN = WriteOptions.defaults();

  private final AtomicLong now = new AtomicLong(1_000_000);

  @TempDir Path temporary;

  /** The store of the mode in this directory. */
  protected abstract KeyValueStore open(PosixPath directory, InstantSource clock)
      throws IOException;

  @Test
  void givesBackWhatWasPutAfterReopening() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      put(store, "b", "2");
      put(store, "a", "3");
      put(store, "", "empty key");
      put(store, "c", "");
      store.remove(bytes("b"));
      assertEquals(Optional.of("3"), get(store, "a"));
      assertEquals(Optional.empty(), get(store, "b"));
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "3", "", "empty key", "c", ""), Texts.contents(store));
      assertEquals(3, store.statistics().keys());
      put(store, "d", "4");
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "3", "", "empty key", "c", "", "d", "4"), Texts.contents(store));
    }
  }

  @Test
  void numbersVersionsAndSetsOnlyTheExpectedOne() throws IOException {
    long lastVersion;
    try (KeyValueStore store = open()) {
      long first = store.put(bytes("a"), bytes("1"), PLAIN);
      assertEquals(first, store.find(bytes("a")).orElseThrow().version());
      long second = store.compareAndSet(bytes("a"), first, bytes("2"), PLAIN).orElseThrow();
      assertTrue(second > first);
      assertEquals(OptionalLong.empty(), store.compareAndSet(bytes("a"), first, bytes("3"), PLAIN));
      assertEquals(OptionalLong.empty(), store.putIfAbsent(bytes("a"), bytes("3"), PLAIN));
      assertTrue(store.putIfAbsent(bytes("b"), bytes("3"), PLAIN).isPresent());
      lastVersion = store.find(bytes("b")).orElseThrow().version();
      assertTrue(lastVersion > second);
      assertFalse(store.compareAndRemove(bytes("a"), first, PLAIN));
      assertTrue(store.compareAndRemove(bytes("a"), second, PLAIN));
      assertFalse(store.remove(bytes("a"), PLAIN));
      assertTrue(store.remove(bytes("b"), PLAIN));
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of(), Texts.contents(store));
      assertTrue(store.put(bytes("x"), bytes("y"), PLAIN) > lastVersion, "goes on counting");
    }
  }

  @Test
  void incrementsAndAppends() throws IOException {
    try (KeyValueStore store = open()) {
      assertEquals(5, store.increment(bytes("n"), 5, PLAIN));
      assertEquals(3, store.increment(bytes("n"), -2, PLAIN));
      assertEquals(Optional.of("3"), get(store, "n"));
      store.append(bytes("s"), bytes("ab"), PLAIN);
      store.append(bytes("s"), bytes("cd"), PLAIN);
      assertEquals(Optional.of("abcd"), get(store, "s"));
      assertThrows(NotANumberException.class, () -> store.increment(bytes("s"), 1, PLAIN));
      put(store, "n", "" + Long.MAX_VALUE);
      assertThrows(NotANumberException.class, () -> store.increment(bytes("n"), 1, PLAIN));
      put(store, "after", "refusals");
    }
  }

  @Test
  void keepsTagsAndExpiryAndForgetsWhatHasExpired() throws IOException {
    WriteOptions options =
        PLAIN.withTimeToLive(Duration.ofSeconds(10)).withTags(Set.of("red", "gr\u00fcn"));
    try (KeyValueStore store = open()) {
      store.put(bytes("a"), bytes("1"), options);
      store.increment(bytes("a"), 1, PLAIN);
    }
    try (KeyValueStore store = open()) {
      Entry entry = store.find(bytes("a")).orElseThrow();
      assertEquals("2", Texts.text(entry.value()));
      assertEquals(Set.of("red", "gr\u00fcn"), entry.tags());
      assertEquals(OptionalLong.of(1_010_000), entry.expiresAtMillis());
      now.addAndGet(9_999);
      assertTrue(get(store, "a").isPresent());
      now.addAndGet(1);
      assertEquals(Optional.empty(), get(store, "a"));
      assertEquals(Map.of(), Texts.contents(store));
      assertEquals(1, store.increment(bytes("a"), 1, PLAIN), "begins anew");
      assertTrue(store.find(bytes("a")).orElseThrow().expiresAtMillis().isEmpty());
    }
  }

  @Test
  void makesBatchesOfRepeatedKeysInOrder() throws IOException {
    try (KeyValueStore store = open()) {
      store.apply(
          new WriteBatch()
              .put(bytes("a"), bytes("1"))
              .remove(bytes("a"))
              .remove(bytes("never"))
              .put(bytes("a"), bytes("2"))
              .put(bytes("b"), bytes("3"), PLAIN.withTags(Set.of("t"))));
      store.apply(new WriteBatch());
      assertEquals(Map.of("a", "2", "b", "3"), Texts.contents(store));
      assertEquals(Set.of("t"), store.find(bytes("b")).orElseThrow().tags());
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "2", "b", "3"), Texts.contents(store));
    }
  }

  @Test
  void putsManyInTheirOrderWithTheirOwnTagsAndEnds() throws IOException {
    Map<String, String> model = new TreeMap<>();
    List<BulkPut> puts = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      String key = "key" + i % 7_000;
      model.put(key, "value" + i);
      puts.add(BulkPut.of(bytes(key), bytes("value" + i)));
    }
    puts.add(BulkPut.of(bytes("long"), new byte[3_000_000]));
    WriteOptions red = PLAIN.withTags(Set.of("red")).withTimeToLive(Duration.ofSeconds(10));
    puts.add(new BulkPut(bytes("long"), bytes("short"), red));
    model.put("long", "short");
    try (KeyValueStore store = open()) {
      put(store, "key3", "from before");
      for (Durability durability : List.of(Durability.NONE, Durability.GROUP)) {
        store.putAll(puts, PLAIN.withDurability(durability).withTags(Set.of("not looked at")));
        assertEquals(model, Texts.contents(store));
      }
      store.putAll(List.of(), PLAIN);
      Entry entry = store.find(bytes("long")).orElseThrow();
      assertEquals(Set.of("red"), entry.tags());
      assertEquals(OptionalLong.of(1_010_000), entry.expiresAtMillis());
      assertEquals(Set.of(), store.find(bytes("key1")).orElseThrow().tags());
    }
    try (KeyValueStore store = open()) {
      assertEquals(model, Texts.contents(store));
    }
  }

  @Test
  void keepsThePutsInFrontOfOneThatCannotBeMade() throws IOException {
    try (KeyValueStore store = open()) {
      Iterable<BulkPut> failing =
          () ->
              Stream.of("a", "b", "c")
                  .map(
                      key -> {
                        if (key.equals("c")) {
                          throw new IllegalStateException("no more");
                        }
                        return BulkPut.of(bytes(key), bytes(key));
                      })
                  .iterator();
      assertThrows(IllegalStateException.class, () -> store.putAll(failing, PLAIN));
      Map<String, String> found = Texts.contents(store);
      assertTrue(
          List.of(Map.of(), Map.of("a", "a"), Map.of("a", "a", "b", "b")).contains(found),
          found.toString());
      put(store, "c", "3");
    }
  }

  @Test
  void givesManyValuesInTheOrderOfTheirKeys() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      put(store, "b", "2");
      List<Optional<String>> found =
          store.getAll(List.of(bytes("b"), bytes("x"), bytes("a"))).stream()
              .map(value -> value.map(Texts::text))
              .toList();
      assertEquals(List.of(Optional.of("2"), Optional.empty(), Optional.of("1")), found);
    }
  }

  @Test
  void makesAPutOfABulkDurableThatHasNeitherKeyNorValue() throws IOException {
    try (KeyValueStore store = open()) {
      store.putAll(List.of(BulkPut.of(bytes(""), bytes(""))), PLAIN);
      assertEquals(Optional.of(""), get(store, ""), "seen, so it is durable");
    }
  }

  @Test
  void failsNothingButTheWriteWhoseUpdateThrows() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      for (Throwable thrown :
          List.of(
              new AssertionError("error"),
              new StackOverflowError("error"),
              new IllegalStateException("exception"),
              new IOException("checked"))) {
        Update throwing =
            current -> {
              KeyValueStoreContract.<RuntimeException>raise(thrown);
              return new Update.Decision.Keep();
            };
        Throwable caught =
            assertThrows(thrown.getClass(), () -> store.update(bytes("a"), throwing, PLAIN));
        assertEquals(thrown, caught);
        put(store, "b", thrown.getMessage());
        assertEquals(Optional.of("1"), get(store, "a"));
      }
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "1", "b", "checked"), Texts.contents(store));
    }
  }

  @Test
  void failsNothingButTheUpdateThatWritesToItsStore() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "1");
      for (Durability durability : List.of(Durability.GROUP, Durability.NONE)) {
        WriteOptions options = PLAIN.withDurability(durability);
        for (Write within :
            List.<Write>of(
                () -> store.put(bytes("a"), bytes("2"), options),
                () -> store.put(bytes("b"), bytes("2"), options),
                () -> store.increment(bytes("b"), 1, options),
                () -> store.putAll(List.of(BulkPut.of(bytes("b"), bytes("2"))), options),
                () -> store.apply(new WriteBatch().remove(bytes("a")), options))) {
          Update writing =
              current -> {
                try {
                  within.write();
                } catch (IOException failed) {
                  throw new UncheckedIOException(failed);
                }
                return new Update.Decision.Put(bytes("3"));
              };
          IllegalStateException refused =
              assertThrows(
                  IllegalStateException.class, () -> store.update(bytes("a"), writing, options));
          assertTrue(refused.toString().contains("an update writes to the store"));
          assertEquals(Map.of("a", "1"), Texts.contents(store));
        }
      }
      put(store, "a", "4");
    }
    try (KeyValueStore store = open()) {
      assertEquals(Map.of("a", "4"), Texts.contents(store));
    }
  }

  /** Some write to a store. */
  @FunctionalInterface
  private interface Write {
    void write() throws IOException;
  }

  @Test
  void refusesToSearchForATagThatIsNoText() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(bytes("key"), bytes("value"), PLAIN.withTags(Set.of("?", "\ud83d\ude00")));
      List<String> found = new ArrayList<>();
      store.forEachWithTag("\ud83d\ude00", entry -> found.add(Texts.text(entry.key())));
      assertEquals(List.of("key"), found);
      assertThrows(
          IllegalArgumentException.class, () -> store.forEachWithTag("\ud83d", entry -> {}));
    }
  }

  @Test
  void takesPeriodsOfAnyLength() throws IOException {
    try (KeyValueStore store = open()) {
      for (Duration period :
          List.of(
              Duration.ofMillis(1),
              Duration.ofDays(200_000),
              Duration.ofMillis(Long.MAX_VALUE),
              Duration.ofSeconds(Long.MAX_VALUE))) {
        WriteOptions options = PLAIN.withDurability(Durability.periodic(period));
        store.put(bytes(period.toString()), bytes("value"), options);
      }
    }
    try (KeyValueStore store = open()) {
      assertEquals(4, Texts.contents(store).size());
    }
  }

  @Test
  void copiesTheArrayThatAnUpdateGives() throws IOException {
    try (KeyValueStore store = open()) {
      byte[] value = bytes("value");
      store.update(bytes("key"), current -> new Update.Decision.Put(value), PLAIN);
      value[0] = 'x';
      assertEquals(Optional.of("value"), get(store, "key"));
    }
  }

  @Test
  void failsNothingButTheCallWhoseActionThrows() throws IOException {
    try (KeyValueStore store = open()) {
      store.put(bytes("a"), bytes("1"), PLAIN.withTags(Set.of("t")));
      store.put(bytes("b"), bytes("1"), PLAIN.withTimeToLive(Duration.ofMillis(1)));
      now.addAndGet(10);
      AssertionError thrown = new AssertionError("action");
      assertThrows(
          AssertionError.class,
          () ->
              store.forEach(
                  bytes(""),
                  (key, value) -> {
                    throw thrown;
                  }));
      assertThrows(
          AssertionError.class,
          () ->
              store.forEachWithTag(
                  "t",
                  entry -> {
                    throw thrown;
                  }));
      assertThrows(
          AssertionError.class,
          () ->
              store.purgeExpired(
                  10,
                  entry -> {
                    throw thrown;
                  }));
      Iterable<BulkPut> failing =
          () -> {
            throw thrown;
          };
      assertThrows(AssertionError.class, () -> store.putAll(failing, PLAIN));
      put(store, "a", "2");
      assertEquals(Map.of("a", "2"), Texts.contents(store));
    }
  }

  @Test
  void copiesArraysBothWays() throws IOException {
    try (KeyValueStore store = open()) {
      byte[] key = bytes("key");
      byte[] value = bytes("value");
      store.put(key, value);
      key[0] = 'x';
      value[0] = 'x';
      byte[] found = store.get(bytes("key")).orElseThrow();
      assertEquals("value", Texts.text(found));
      found[0] = 'x';
      assertEquals(Optional.of("value"), get(store, "key"));
    }
  }

  private KeyValueStore open() throws IOException {
    return open(PosixPath.of(temporary.resolve("store")), () -> Instant.ofEpochMilli(now.get()));
  }

  private static void put(KeyValueStore store, String key, String value) throws IOException {
    store.put(bytes(key), bytes(value));
  }

  private static Optional<String> get(KeyValueStore store, String key) throws IOException {
    return store.get(bytes(key)).map(Texts::text);
  }

  private static byte[] bytes(String text) {
    return Texts.bytes(text);
  }

  /** Any throwable, as an unchecked one to the compiler. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
