package dev.tailwater.store.salvage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.log.LogSalvage;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Damaged transaction logs: what is found, what is said of it, and what a repair leaves. */
class LogSalvageTest {
  /**
   * Many more with {@code -Dtailwater.soak=true}: {@code ./mvnw -pl store -am test
   * -Dtest='*SalvageTest' -Dtailwater.soak=true}.
   */
  private static final int ROUNDS = Boolean.getBoolean("tailwater.soak") ? 20_000 : 150;

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withCompactAboveBytes(2500).withCompactor(Runnable::run);

  /** A store that was written and then closed, or its process killed. */
  private static final class Filled {
    private final SimulatedFileSystem files = new SimulatedFileSystem();

    /** All values that a key ever had; removed is empty. */
    private final Map<String, List<String>> history = new TreeMap<>();

    private final Map<String, String> newest = new TreeMap<>();
    private long lastVersion;

    Filled(Random random) throws IOException {
      boolean killed = random.nextInt(3) == 0;
      int rounds = 1 + random.nextInt(2);
      for (int round = 0; round < rounds; round++) {
        boolean last = killed && round == rounds - 1; // a compaction would go on behind its back
        KeyValueStore store = open(last ? OPTIONS.withCompactAboveBytes(Long.MAX_VALUE) : OPTIONS);
        for (int i = 10 + random.nextInt(50); i > 0; i--) {
          write(store, random);
        }
        if (last) {
          store.put(Texts.bytes("last"), Texts.bytes("durable"));
          saw("last", "durable");
          files.killProcess();
        } else {
          store.close();
        }
      }
    }

    private void write(KeyValueStore store, Random random) throws IOException {
      WriteOptions options =
          WriteOptions.defaults()
              .withDurability(random.nextInt(3) == 0 ? Durability.GROUP : Durability.NONE);
      WriteBatch batch = new WriteBatch();
      for (int n = random.nextInt(random.nextInt(3) == 0 ? 6 : 1); n >= 0; n--) {
        String key = "key" + random.nextInt(12);
        if (random.nextInt(5) == 0) {
          batch.remove(Texts.bytes(key));
          newest.remove(key);
        } else {
          String value = "value " + random.nextInt() + "x".repeat(random.nextInt(150));
          batch.put(Texts.bytes(key), Texts.bytes(value));
          saw(key, value);
        }
      }
      store.apply(batch, options);
      if (!newest.isEmpty()) {
        String any = newest.keySet().iterator().next();
        lastVersion = Math.max(lastVersion, store.find(Texts.bytes(any)).orElseThrow().version());
      }
    }

    private void saw(String key, String value) {
      history.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
      newest.put(key, value);
    }

    KeyValueStore open() throws IOException {
      return open(OPTIONS);
    }

    private KeyValueStore open(StoreOptions options) throws IOException {
      return TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, options);
    }

    LogSalvage salvage() {
      return new LogSalvage(files.calls(), SimulatedFileSystem.STORE, InstantSource.system());
    }

    String lastLog() {
      return files.names().stream().filter(name -> name.startsWith("log-")).toList().getLast();
    }

    Map<String, String> contents() throws IOException {
      try (KeyValueStore store = open()) {
        return Texts.contents(store);
      }
    }
  }

  @Test
  void findsNothingWrongWithWhatWasNotDamaged() throws IOException {
    for (long seed = 1; seed <= 60; seed++) {
      Filled filled = new Filled(new Random(seed));
      Map<String, byte[]> before = new HashMap<>();
      filled.files.names().forEach(name -> before.put(name, filled.files.content(name)));
      Findings findings = new Findings();
      StoreCheck check = filled.salvage().verify(findings);
      assertTrue(check.isWhole(), "seed " + seed + ": " + findings);
      assertEquals(StoreCheck.Keys.NONE, check.keys());
      assertTrue(filled.salvage().repair(findings).originals().isEmpty());
      assertFalse(findings.changed);
      before.forEach(
          (name, bytes) -> {
            if (!name.equals("LOCK")) {
              assertEquals(Texts.text(bytes), Texts.text(filled.files.content(name)), name);
            }
          });
      assertEquals(filled.newest, filled.contents(), "seed " + seed);
    }
  }

  @Test
  void repairsWhateverWasDamagedAndNamesEveryKeyThatIsNotWhatItWas() throws IOException {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      Random random = new Random(seed);
      Filled filled = new Filled(random);
      String last = filled.lastLog();
      List<String> done = Damager.damage(filled.files, random);
      String place = "seed " + seed + ", " + done;
      if (filled.files.names().stream().noneMatch(name -> name.startsWith("log-"))) {
        continue;
      }
      Findings found = new Findings();
      StoreCheck check = filled.salvage().verify(found);
      Findings repaired = new Findings();
      StoreCheck same = filled.salvage().repair(repaired).found();
      assertEquals(check.keys(), same.keys(), place);
      assertEquals(found.toString(), repaired.toString(), place);
      assertEquals(!check.isWhole(), repaired.changed, place);
      Map<String, String> contents;
      try {
        contents = filled.contents();
      } catch (IOException failed) {
        throw new AssertionError(place + " " + found, failed);
      }
      boolean cut = mayBeCut(check, done, last);
      check(filled, contents, check, found, place, cut);
      Findings nothing = new Findings();
      assertTrue(filled.salvage().verify(nothing).isWhole(), place + ": " + nothing);
      try (KeyValueStore store = filled.open()) {
        long version = store.put(Texts.bytes("new"), Texts.bytes("new"), WriteOptions.defaults());
        assertTrue(
            version > filled.lastVersion || cut,
            place + ": version " + version + " after " + filled.lastVersion);
      }
    }
  }

  /** Whether the end of the last file is gone, and nothing can say that it was ever durable. */
  private static boolean mayBeCut(StoreCheck check, List<String> done, String last) {
    return check.files().stream().anyMatch(file -> file.tornBytes() > 0)
        || done.stream().anyMatch(what -> what.matches(last + " (cut|deleted).*"));
  }

  /**
   * @param cut the end of the last file may be missing, which cannot be told from a torn tail
   */
  private static void check(
      Filled filled,
      Map<String, String> contents,
      StoreCheck check,
      Findings found,
      String place,
      boolean cut) {
    for (String key : filled.history.keySet()) {
      String is = contents.get(key);
      String was = filled.newest.get(key);
      String what = place + ": " + key + " is " + is + " and was " + was + "; " + found;
      if (is != null) {
        assertTrue(filled.history.get(key).contains(is), what);
      }
      boolean right = is == null ? was == null : is.equals(was);
      boolean named =
          found.keys.containsKey(key)
              || (is == null && (found.lostWithoutName > 0 || check.keys().unnamedAtMost() > 0));
      assertTrue(right || named || cut, what + " " + check.keys());
      assertFalse(right && found.isCertain(key), what + ", a false alarm");
    }
    for (String key : contents.keySet()) {
      assertTrue(filled.history.containsKey(key), place + ": " + key + " never was");
    }
  }
}
