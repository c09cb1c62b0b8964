package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.simulated.PowerLoss;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What is found by tag is what has the tag, after any stop of process or machine, however the index
 * tags came back: from the index checkpoint, from hints or from records.
 */
class TagCrashTest {
  private static final int TAGS = 5;

  @Test
  void findsByTagWhatHasTheTagWhereverTheMachineStops() {
    for (long seed = 1; seed <= 40; seed++) {
      Run run = new Run(seed, store -> new SipHash(store.hashKey0(), store.hashKey1()));
      run.stopAgainAndAgain();
    }
  }

  @Test
  void findsThemAlsoWhereManyKeysHaveOneHash() {
    for (long seed = 1; seed <= 40; seed++) {
      new Run(seed, store -> key -> (long) key[key.length - 1] % 4 << 62 | 1).stopAgainAndAgain();
    }
  }

  /** The hint names both index tags, and one record. */
  @Test
  void keepsTheTagOfAKeyWhoseHashAnotherHadThatIsGone() throws IOException {
    Run run = new Run(1, store -> key -> key[0] == 'c' ? 2L << 56 : 1L << 56);
    WriteOptions tagged = WriteOptions.defaults().withTags(Set.of("t1"));
    KeyValueStore store = run.open();
    store.put(Texts.bytes("a"), Texts.bytes("1"), tagged);
    store.put(Texts.bytes("b"), Texts.bytes("2"), tagged);
    store.remove(Texts.bytes("b"), WriteOptions.defaults());
    store.put(Texts.bytes("c"), new byte[5000]); // in the next file
    run.files.killProcess();
    try (KeyValueStore again = run.open()) {
      assertEquals(2, Texts.contents(again).size());
      Run.check(again, "found by the tag");
    }
  }

  private static final class Run {
    private final SimulatedFileSystem files = new SimulatedFileSystem();
    private final Function<StoreIdentity, KeyHash> hashing;
    private final Random random;
    private final Random salts;
    private final long seed;
    private long nowMillis = 1_000_000;

    Run(long seed, Function<StoreIdentity, KeyHash> hashing) {
      this.seed = seed;
      this.random = new Random(seed);
      this.salts = new Random(-seed);
      this.hashing = hashing;
    }

    void stopAgainAndAgain() {
      for (int stop = 0; stop < 6; stop++) {
        String place = "seed " + seed + ", stop " + stop;
        boolean closes = random.nextInt(3) == 0;
        files.stopAfterCalls(closes ? Long.MAX_VALUE : 1 + random.nextInt(120), false);
        try (KeyValueStore store = open()) {
          for (int i = 0; i < 60; i++) {
            write(store);
          }
          check(store, place + " while open");
        } catch (PowerLoss stopped) {
          assertTrue(files.callCount() > 0, place);
        } catch (IOException failed) {
          if (!(rootOf(failed) instanceof PowerLoss)) {
            throw new AssertionError(place, failed);
          }
        }
        if (random.nextBoolean()) {
          files.losePower(random);
        } else {
          files.killProcess();
        }
        try (DataFileStore store = open()) {
          check(store, place);
          check(store, place + ", again: what is stale is gone");
        } catch (IOException failed) {
          throw new AssertionError(place, failed);
        }
        files.killProcess();
      }
    }

    private static Throwable rootOf(Throwable failed) {
      Throwable root = failed;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      return root;
    }

    private void write(KeyValueStore store) throws IOException {
      nowMillis += random.nextInt(20) == 0 ? 70_000 : 10;
      byte[] key = Texts.bytes("key" + random.nextInt(12));
      switch (random.nextInt(6)) {
        case 0 -> store.remove(key, options().withTags(Set.of()));
        case 1 ->
            store.apply(
                new WriteBatch()
                    .put(key, Texts.bytes("batch"), options())
                    .remove(Texts.bytes("key" + random.nextInt(12)))
                    .put(Texts.bytes("key" + random.nextInt(12)), Texts.bytes("b"), options()));
        case 2 -> store.append(key, Texts.bytes("x"), options().withTags(Set.of()));
        default -> store.put(key, new byte[random.nextInt(200)], options());
      }
    }

    private WriteOptions options() {
      Set<String> tags = new HashSet<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        tags.add("t" + random.nextInt(TAGS));
      }
      WriteOptions options =
          WriteOptions.defaults()
              .withDurability(random.nextInt(3) == 0 ? Durability.GROUP : Durability.NONE)
              .withTags(tags);
      return random.nextInt(4) == 0
          ? options.withTimeToLive(Duration.ofMillis(1 + random.nextInt(200_000)))
          : options;
    }

    private static void check(KeyValueStore store, String place) throws IOException {
      Map<String, Set<String>> expected = new TreeMap<>();
      Map<String, Set<String>> found = new TreeMap<>();
      try (StoreSnapshot snapshot = store.snapshot()) {
        snapshot.forEach(
            new byte[0],
            entry ->
                entry
                    .tags()
                    .forEach(
                        tag ->
                            expected
                                .computeIfAbsent(tag, any -> new TreeSet<>())
                                .add(Texts.text(entry.key()))));
        for (int i = 0; i < TAGS; i++) {
          String tag = "t" + i;
          snapshot.forEachWithTag(
              tag,
              entry ->
                  assertTrue(
                      found
                          .computeIfAbsent(tag, any -> new TreeSet<>())
                          .add(Texts.text(entry.key())),
                      place + ": given once"));
        }
      }
      assertEquals(expected, found, place);
    }

    private DataFileStore open() throws IOException {
      return DataFileStore.open(
          files.calls(),
          SimulatedFileSystem.STORE,
          DataFileOptions.defaults()
              .withFileBytes(4 * 1024)
              .withSyncAboveBytes(Long.MAX_VALUE)
              .withBackground(Runnable::run)
              .withWriteWithin(Duration.ofHours(1))
              .withRandom(salts)
              .withClock(() -> Instant.ofEpochMilli(nowMillis)),
          hashing);
    }
  }
}
