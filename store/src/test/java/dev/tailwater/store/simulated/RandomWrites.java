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
    Step step = new Step(store, before, nowMillis, options(), announced);
    String key = "key" + random.nextInt(KEYS);
    return switch (random.nextInt(11)) {
      case 0 -> step.remove(key);
      case 1 -> batch(step);
      case 2 -> step.append(key);
      case 3 -> step.increment("count" + random.nextInt(COUNTERS), random.nextInt(-50, 50));
      case 4 -> step.incrementText();
      case 5 -> compareAndSet(step, key);
      case 6 -> step.putIfAbsent(key, value(step.options(), nowMillis));
      case 7 -> bulk(step);
      default -> step.put(key, value(step.options(), nowMillis));
    };
  }

  private Outcome batch(Step step) throws IOException {
    WriteBatch batch = new WriteBatch();
    Model after = step.before();
    for (int i = random.nextInt(6); i >= 0; i--) {
      String key = "key" + random.nextInt(KEYS);
      if (random.nextInt(4) == 0) {
        batch.remove(Texts.bytes(key));
        after = after.without(key);
      } else {
        WriteOptions ofOne = options();
        Model.Value value = value(ofOne, step.nowMillis());
        batch.put(Texts.bytes(key), Texts.bytes(value.text()), ofOne);
        after = after.with(key, value);
      }
    }
    step.announced().accept(after);
    step.store().apply(batch, step.options());
    return new Outcome(after, step.isGroup());
  }

  /** The store may hold any number of them when the machine stops. */
  private Outcome bulk(Step step) throws IOException {
    List<BulkPut> puts = new ArrayList<>();
    Model after = step.before();
    String key = "";
    for (int i = random.nextInt(6); i >= 0; i--) {
      key = "key" + random.nextInt(KEYS);
      WriteOptions ofOne = options();
      Model.Value value = value(ofOne, step.nowMillis());
      puts.add(new BulkPut(Texts.bytes(key), Texts.bytes(value.text()), ofOne));
      after = after.with(key, value);
      step.announced().accept(after);
    }
    step.store().putAll(puts, step.options());
    return step.checked(key, after, true);
  }

  private Outcome compareAndSet(Step step, String key) throws IOException {
    long version = step.store().find(Texts.bytes(key)).map(Entry::version).orElse(0L);
    long expected = random.nextInt(3) == 0 ? random.nextInt(1000) : version;
    return step.compareAndSet(key, expected, version, value(step.options(), step.nowMillis()));
  }

  /** One write, and what is there before it. */
  private record Step(
      KeyValueStore store,
      Model before,
      long nowMillis,
      WriteOptions options,
      Consumer<Model> announced) {

    boolean isGroup() {
      return options.durability().orElseThrow() instanceof Durability.Group;
    }

    Outcome remove(String key) throws IOException {
      boolean there = before.find(key, nowMillis).isPresent();
      Model after = there ? before.without(key) : before;
      announced.accept(after);
      assertEquals(there, store.remove(Texts.bytes(key), options), key);
      return checked(key, after, there);
    }

    Outcome append(String key) throws IOException {
      Optional<Model.Value> current = before.find(key, nowMillis);
      String text = current.map(Model.Value::text).orElse("") + "x";
      Model after = before.with(key, replaced(current, text));
      announced.accept(after);
      store.append(Texts.bytes(key), Texts.bytes("x"), options);
      return checked(key, after, true);
    }

    Outcome increment(String key, long delta) throws IOException {
      Optional<Model.Value> current = before.find(key, nowMillis);
      long sum = delta + Long.parseLong(current.map(Model.Value::text).orElse("0"));
      Model after = before.with(key, replaced(current, "" + sum));
      announced.accept(after);
      assertEquals(sum, store.increment(Texts.bytes(key), delta, options), key);
      return checked(key, after, true);
    }

    Outcome incrementText() throws IOException {
      String key = "text";
      if (before.find(key, nowMillis).isEmpty()) {
        return put(key, RandomWrites.put("no number", options, nowMillis));
      }
      try { // not assertThrows: the machine may stop in here
        store.increment(Texts.bytes(key), 1, options);
      } catch (NotANumberException refused) {
        return checked(key, before, false);
      }
      throw new AssertionError("text was taken for a number");
    }

    Outcome putIfAbsent(String key, Model.Value value) throws IOException {
      boolean absent = before.find(key, nowMillis).isEmpty();
      Model after = absent ? before.with(key, value) : before;
      announced.accept(after);
      OptionalLong version =
          store.putIfAbsent(Texts.bytes(key), Texts.bytes(value.text()), options);
      assertEquals(absent, version.isPresent(), key);
      return checked(key, after, absent);
    }

    Outcome compareAndSet(String key, long expected, long version, Model.Value value)
        throws IOException {
      boolean fits = expected == version;
      Model after = fits ? before.with(key, value) : before;
      announced.accept(after);
      OptionalLong set =
          store.compareAndSet(Texts.bytes(key), expected, Texts.bytes(value.text()), options);
      assertEquals(fits, set.isPresent(), key);
      assertTrue(!fits || set.getAsLong() > expected, "versions ascend");
      return checked(key, after, fits);
    }

    Outcome put(String key, Model.Value value) throws IOException {
      Model after = before.with(key, value);
      announced.accept(after);
      assertTrue(store.put(Texts.bytes(key), Texts.bytes(value.text()), options) > 0);
      return checked(key, after, true);
    }

    private Outcome checked(String key, Model after, boolean written) throws IOException {
      assertEquals(after.find(key, nowMillis), store.find(Texts.bytes(key)).map(Model::of), key);
      return new Outcome(after, written && isGroup());
    }

    /** As a write that keeps what the options do not say. */
    private Model.Value replaced(Optional<Model.Value> current, String text) {
      Model.Value put = RandomWrites.put(text, options, nowMillis);
      if (current.isEmpty()) {
        return put;
      }
      Model.Value old = current.get();
      boolean ends = options.timeToLive().isPresent();
      return new Model.Value(
          text,
          ends ? put.expiresAtMillis() : old.expiresAtMillis(),
          options.tags().isEmpty() ? old.tags() : put.tags());
    }
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
}
