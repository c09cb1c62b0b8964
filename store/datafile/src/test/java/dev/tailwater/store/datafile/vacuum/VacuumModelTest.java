package dev.tailwater.store.datafile.vacuum;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.store.Durability;
import dev.tailwater.store.Entry;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.DataFileStore;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Random puts, removals, batches, expiry, vacuums, reopenings and kills against a plain map. What
 * is looked for above all: an old value that comes back. A long run: {@code -Dtailwater.soak=true}.
 */
class VacuumModelTest {
  private static final int KEYS = 30;

  /** As good as no two keys share a hash. */
  private static KeyHash strong(StoreIdentity store) {
    return new SipHash(store.hashKey0(), store.hashKey1());
  }

  /** Four hashes for thirty keys: what belongs to which is only in the records. */
  private static KeyHash weak(StoreIdentity store) {
    return key -> (key[key.length - 1] & 3L) << 62;
  }

  @Test
  void keepsWhatAMapKeeps() throws IOException {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + Soak.rounds(25, 5000); seed++) {
      new Run(seed, true, VacuumModelTest::strong).run();
    }
  }

  @Test
  void keepsWhatAMapKeepsWhenManyKeysShareAHash() throws IOException {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + Soak.rounds(25, 5000); seed++) {
      new Run(seed, false, VacuumModelTest::weak).run();
    }
  }

  /** One store, and what it must hold. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final SimulatedFileSystem files = new SimulatedFileSystem();
    private final Function<StoreIdentity, KeyHash> hashing;
    private final DataFileOptions options;
    private final Map<String, Entry> model = new HashMap<>();
    private final int vacuumsIn;

    /** Where eight keys have one hash, the store does not know of each file what expires in it. */
    private final boolean exactExpiry;

    private long nowMillis = 1_000_000;

    Run(long seed, boolean exactExpiry, Function<StoreIdentity, KeyHash> hashing) {
      this.exactExpiry = exactExpiry;
      this.seed = seed;
      this.random = new Random(seed);
      this.hashing = hashing;
      this.vacuumsIn = 5 + random.nextInt(60);
      this.options =
          DataFileOptions.defaults()
              .withFileBytes(4096 + random.nextInt(3) * 2048)
              .withBackground(Runnable::run)
              .withWriteWithin(Duration.ofHours(1))
              .withSyncAboveBytes(Long.MAX_VALUE)
              .withVacuum(VacuumOptions.defaults().withMaxSpaceAmplification(1.1))
              .withRandom(new Random(-seed))
              .withClock(() -> Instant.ofEpochMilli(nowMillis));
    }

    void run() throws IOException {
      for (int round = 0; round < 6; round++) {
        try (DataFileStore store = open()) {
          check(store, "opened");
          for (int i = 0; i < 120; i++) {
            write(store);
            nowMillis += random.nextInt(20);
            if (random.nextInt(vacuumsIn) == 0) {
              VacuumResult result = store.vacuum();
              assertEquals(List.of(), result.damaged(), place());
              check(store, "vacuumed");
            }
          }
          check(store, "written");
        }
        if (random.nextInt(3) == 0) {
          files.delete("index");
        }
        if (random.nextBoolean()) {
          files.names().stream().filter(name -> name.startsWith("hint")).forEach(this::loseHint);
        }
      }
      checkOnlyWhatLivesIsLeft();
    }

    private void loseHint(String name) {
      if (random.nextBoolean()) {
        files.delete(name);
      }
    }

    private void checkOnlyWhatLivesIsLeft() throws IOException {
      try (DataFileStore store = open()) {
        nowMillis += 100_000; // everything with an end has ended, and the span that it ends in
        store.put(Texts.bytes("last"), Texts.bytes("last"));
        model.put("last", entry("last", "last", 0));
        store.vacuum();
        store.vacuum();
        check(store, "vacuumed at last");
        StoreStatistics statistics = store.statistics();
        assertEquals(statistics.liveBytes(), statistics.logBytes(), place());
        if (exactExpiry) {
          assertEquals(live().size(), statistics.keys(), place());
        }
      }
    }

    private void write(DataFileStore store) throws IOException {
      WriteOptions writes =
          WriteOptions.defaults()
              .withDurability(random.nextInt(4) == 0 ? Durability.GROUP : Durability.NONE);
      String key = key();
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          model.remove(key);
          store.remove(Texts.bytes(key), writes);
        }
        case 3 -> {
          WriteBatch batch = new WriteBatch();
          for (int i = random.nextInt(5); i >= 0; i--) {
            String one = key();
            if (random.nextInt(3) == 0) {
              batch.remove(Texts.bytes(one));
              model.remove(one);
            } else {
              String value = value();
              batch.put(Texts.bytes(one), Texts.bytes(value));
              model.put(one, entry(one, value, 0));
            }
          }
          store.apply(batch, writes);
        }
        case 4, 5 -> {
          long end = 1L + random.nextInt(300);
          String value = value();
          store.put(
              Texts.bytes(key),
              Texts.bytes(value),
              writes.withTimeToLive(Duration.ofMillis(end)).withTags(Set.of("t")));
          model.put(key, entry(key, value, nowMillis + end));
        }
        default -> {
          String value = value();
          store.put(Texts.bytes(key), Texts.bytes(value), writes);
          model.put(key, entry(key, value, 0));
        }
      }
    }

    private String key() {
      return "key" + random.nextInt(KEYS);
    }

    private String value() {
      return random.nextInt() + "x".repeat(random.nextInt(random.nextInt(8) == 0 ? 1500 : 100));
    }

    private static Entry entry(String key, String value, long expiresAtMillis) {
      return new Entry(
          Texts.bytes(key),
          Texts.bytes(value),
          1,
          expiresAtMillis == 0
              ? java.util.OptionalLong.empty()
              : java.util.OptionalLong.of(expiresAtMillis),
          Set.of());
    }

    private Map<String, Entry> live() {
      Map<String, Entry> live = new TreeMap<>();
      model.forEach(
          (key, entry) -> {
            if (entry.expiresAtMillis().orElse(Long.MAX_VALUE) > nowMillis) {
              live.put(key, entry);
            }
          });
      return live;
    }

    private void check(DataFileStore store, String when) throws IOException {
      Map<String, String> expected = new TreeMap<>();
      live().forEach((key, entry) -> expected.put(key, Texts.text(entry.value())));
      assertEquals(expected, Texts.contents(store), () -> place() + " " + when);
      for (int i = 0; i < KEYS; i++) {
        String key = "key" + i;
        assertEquals(
            Optional.ofNullable(expected.get(key)),
            store.get(Texts.bytes(key)).map(Texts::text),
            () -> place() + " " + when + " " + key);
      }
    }

    private DataFileStore open() throws IOException {
      return DataFileStore.open(files.calls(), SimulatedFileSystem.STORE, options, hashing);
    }

    private String place() {
      return "seed " + seed;
    }
  }
}
