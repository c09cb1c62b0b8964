package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.BulkPut;
import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.NotANumberException;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Makes random writes of every kind on a store, says beforehand what the store will hold, and
 * compares what the store answers with what a map would.
 */
final class RandomWrites {
  private static final int KEYS = 10;
  private static final int COUNTERS = 3;
  private static final int MAX_LIFE_MILLIS = 40;

  private final RandomGenerator random;
  private final List<Durability> durabilities;
  private final boolean expiring;

  /**
   * @param durabilities of which each write has one
   * @param expiring whether some values expire
   */
  RandomWrites(RandomGenerator random, List<Durability> durabilities, boolean expiring) {
    this.random = random;
    this.durabilities = durabilities;
    this.expiring = expiring;
  }

  /** What a write comes to: the store's contents, and whether all of it is durable now. */
  record Outcome(Model after, boolean durable) {}

  /**
   * Makes one write.
   *
   * @param announced gets the contents that the write makes, before it is made
   */
  Outcome write(KeyValueStore store, Model before, long nowMillis, Consumer<Model> announced)
      throws IOException {
    WriteOptions options = options();
    boolean group = isGroup(options);
    String key = "key" + random.nextInt(KEYS);
    Optional<Model.Value> current = before.find(key, nowMillis);
    return switch (random.nextInt(11)) {
      case 0 -> {
        Model after = current.isPresent() ? before.without(key) : before;
        announced.accept(after);
        assertEquals(current.isPresent(), store.remove(Texts.bytes(key), options));
        yield checked(store, key, after, nowMillis, group && current.isPresent());
      }
      case 1 -> batch(store, before, nowMillis, options, announced);
      case 2 -> {
        String text = current.map(Model.Value::text).orElse("") + "x";
        Model after = before.with(key, replaced(current, text, options, nowMillis));
        announced.accept(after);
        store.append(Texts.bytes(key), Texts.bytes("x"), options);
        yield checked(store, key, after, nowMillis, group);
      }
      case 3 -> increment(store, before, nowMillis, options, announced);
      case 4 -> compareAndSet(store, before, nowMillis, options, announced);
      case 5 -> {
        Model.Value value = value(options, nowMillis);
        Model after = current.isPresent() ? before : before.with(key, value);
        announced.accept(after);
        OptionalLong version =
            store.putIfAbsent(Texts.bytes(key), Texts.bytes(value.text()), options);
        assertEquals(current.isEmpty(), version.isPresent());
        yield checked(store, key, after, nowMillis, group && version.isPresent());
      }
      case 6 -> bulk(store, before, nowMillis, options, announced);
      default -> {
        Model.Value value = value(options, nowMillis);
        Model after = before.with(key, value);
        announced.accept(after);
        long version = store.put(Texts.bytes(key), Texts.bytes(value.text()), options);
        assertTrue(version > 0);
        yield checked(store, key, after, nowMillis, group);
      }
    };
  }

  private Outcome batch(
      KeyValueStore store,
      Model before,
      long nowMillis,
      WriteOptions options,
      Consumer<Model> announced)
      throws IOException {
    WriteBatch batch = new WriteBatch();
    Model after = before;
    for (int i = random.nextInt(6); i >= 0; i--) {
      String key = "key" + random.nextInt(KEYS);
      if (random.nextInt(4) == 0) {
        batch.remove(Texts.bytes(key));
        after = after.without(key);
      } else {
        WriteOptions ofOne = options();
        Model.Value value = value(ofOne, nowMillis);
        batch.put(Texts.bytes(key), Texts.bytes(value.text()), ofOne);
        after = after.with(key, value);
      }
    }
    announced.accept(after);
    store.apply(batch, options);
    return new Outcome(after, isGroup(options));
  }

  /** The store may hold any number of them when the machine stops. */
  private Outcome bulk(
      KeyValueStore store,
      Model before,
      long nowMillis,
      WriteOptions options,
      Consumer<Model> announced)
      throws IOException {
    List<BulkPut> puts = new ArrayList<>();
    Model after = before;
    for (int i = random.nextInt(6); i >= 0; i--) {
      String key = "key" + random.nextInt(KEYS);
      WriteOptions ofOne = options();
      Model.Value value = value(ofOne, nowMillis);
      puts.add(new BulkPut(Texts.bytes(key), Texts.bytes(value.text()), ofOne));
      after = after.with(key, value);
      announced.accept(after);
    }
    store.putAll(puts, options);
    String last = Texts.text(puts.getLast().key());
    return checked(store, last, after, nowMillis, isGroup(options));
  }

  private Outcome increment(
      KeyValueStore store,
      Model before,
      long nowMillis,
      WriteOptions options,
      Consumer<Model> announced)
      throws IOException {
    String key = random.nextInt(4) == 0 ? "text" : "count" + random.nextInt(COUNTERS);
    Optional<Model.Value> current = before.find(key, nowMillis);
    if (key.equals("text")) {
      if (current.isPresent()) {
        try { // not assertThrows: the machine may stop in here
          store.increment(Texts.bytes(key), 1, options);
          throw new AssertionError("text was taken for a number");
        } catch (NotANumberException refused) {
          return checked(store, key, before, nowMillis, false);
        }
      }
      Model after = before.with(key, put("no number", options, nowMillis));
      announced.accept(after);
      store.put(Texts.bytes(key), Texts.bytes("no number"), options);
      return checked(store, key, after, nowMillis, isGroup(options));
    }
    long delta = random.nextInt(-50, 50);
    long sum = delta + Long.parseLong(current.map(Model.Value::text).orElse("0"));
    Model after = before.with(key, replaced(current, "" + sum, options, nowMillis));
    announced.accept(after);
    assertEquals(sum, store.increment(Texts.bytes(key), delta, options));
    return checked(store, key, after, nowMillis, isGroup(options));
  }

  private static boolean isGroup(WriteOptions options) {
    return options.durability().orElseThrow() instanceof Durability.Group;
  }

  private Outcome compareAndSet(
      KeyValueStore store,
      Model before,
      long nowMillis,
      WriteOptions options,
      Consumer<Model> announced)
      throws IOException {
    String key = "key" + random.nextInt(KEYS);
    OptionalLong version = OptionalLong.empty();
    Optional<Entry> found = store.find(Texts.bytes(key));
    if (found.isPresent()) {
      version = OptionalLong.of(found.get().version());
    }
    long expected = random.nextInt(3) == 0 ? random.nextInt(1000) : version.orElse(0);
    boolean fits = expected == version.orElse(0);
    Model.Value value = value(options, nowMillis);
    Model after = fits ? before.with(key, value) : before;
    announced.accept(after);
    OptionalLong set =
        store.compareAndSet(Texts.bytes(key), expected, Texts.bytes(value.text()), options);
    assertEquals(fits, set.isPresent());
    assertTrue(!fits || set.getAsLong() > expected, "versions ascend");
    return checked(store, key, after, nowMillis, isGroup(options) && fits);
  }

  private static Outcome checked(
      KeyValueStore store, String key, Model after, long nowMillis, boolean durable)
      throws IOException {
    assertEquals(after.find(key, nowMillis), store.find(Texts.bytes(key)).map(Model::of), key);
    return new Outcome(after, durable);
  }

  private WriteOptions options() {
    WriteOptions options =
        WriteOptions.defaults()
            .withDurability(durabilities.get(random.nextInt(durabilities.size())));
    if (expiring && random.nextInt(5) == 0) {
      options = options.withTimeToLive(Duration.ofMillis(1 + random.nextInt(MAX_LIFE_MILLIS)));
    }
    return random.nextInt(5) == 0
        ? options.withTags(Set.of("tag" + random.nextInt(3), "red"))
        : options;
  }

  private Model.Value value(WriteOptions options, long nowMillis) {
    // Some span several sectors, so that they can be torn.
    byte[] bytes = new byte[random.nextInt(random.nextInt(3) == 0 ? 1400 : 60)];
    random.nextBytes(bytes);
    return put(Texts.text(bytes), options, nowMillis);
  }

  private static Model.Value put(String text, WriteOptions options, long nowMillis) {
    long expiresAtMillis = options.timeToLive().map(life -> nowMillis + life.toMillis()).orElse(0L);
    return new Model.Value(text, expiresAtMillis, options.tags());
  }

  /** As a write that keeps what the options do not say. */
  private static Model.Value replaced(
      Optional<Model.Value> current, String text, WriteOptions options, long nowMillis) {
    Model.Value put = put(text, options, nowMillis);
    return current
        .map(
            old ->
                new Model.Value(
                    text,
                    options.timeToLive().isPresent()
                        ? put.expiresAtMillis()
                        : old.expiresAtMillis(),
                    options.tags().isEmpty() ? old.tags() : put.tags()))
        .orElse(put);
  }
}
