package dev.tailwater.store.simulated;

import dev.tailwater.store.Entry;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a store is to hold: a plain map. Never changed; each write makes another one.
 *
 * @param entries those that have expired too, until they are overwritten or removed
 */
public record Model(Map<String, Model.Value> entries) {
  /** Nothing. */
  public static final Model EMPTY = new Model(Map.of());

  public Model {
    entries = Map.copyOf(entries);
  }

  /**
   * Of one key.
   *
   * @param expiresAtMillis 0: never
   */
  public record Value(String text, long expiresAtMillis, Set<String> tags) {
    boolean isThere(long nowMillis) {
      return expiresAtMillis == 0 || expiresAtMillis > nowMillis;
    }

    /** Short, for messages. */
    @Override
    public String toString() {
      return text.length()
          + "/"
          + Integer.toHexString(text.hashCode())
          + "/"
          + expiresAtMillis
          + tags;
    }
  }

  /** What readers see of this key. */
  public Optional<Value> find(String key, long nowMillis) {
    return Optional.ofNullable(entries.get(key)).filter(value -> value.isThere(nowMillis));
  }

  /** What readers see at this time. */
  public Model at(long nowMillis) {
    Map<String, Value> there = new TreeMap<>(entries);
    there.values().removeIf(value -> !value.isThere(nowMillis));
    return new Model(there);
  }

  Model with(String key, Value value) {
    Map<String, Value> other = new TreeMap<>(entries);
    other.put(key, value);
    return new Model(other);
  }

  Model without(String key) {
    Map<String, Value> other = new TreeMap<>(entries);
    other.remove(key);
    return new Model(other);
  }

  /** What a store holds. */
  public static Model of(KeyValueStore store) throws IOException {
    Map<String, Value> found = new TreeMap<>();
    for (Map.Entry<String, String> each : Texts.contents(store).entrySet()) {
      Entry entry = store.find(Texts.bytes(each.getKey())).orElseThrow();
      if (!Texts.text(entry.value()).equals(each.getValue())) {
        throw new AssertionError("forEach and find differ for " + each.getKey());
      }
      found.put(each.getKey(), of(entry));
    }
    return new Model(found);
  }

  static Value of(Entry entry) {
    return new Value(Texts.text(entry.value()), entry.expiresAtMillis().orElse(0), entry.tags());
  }

  /** Short, for messages. */
  @Override
  public String toString() {
    return new TreeMap<>(entries).toString();
  }
}
