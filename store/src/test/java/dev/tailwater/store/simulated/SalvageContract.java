package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Damaged stores: what is found, what is said of it, what a repair leaves, and what one that is
 * stopped leaves to the next. For both modes.
 */
public abstract class SalvageContract {
  /**
   * Opens the store.
   *
   * @param toBeKilled nothing may go on behind the back of whoever has it open
   */
  protected abstract KeyValueStore open(FileCalls calls, boolean toBeKilled) throws IOException;

  /** Checks the store. */
  protected abstract StoreCheck verify(FileCalls calls, DamageListener listener) throws IOException;

  /** Repairs the store. */
  protected abstract RepairResult repair(FileCalls calls, RepairListener listener)
      throws IOException;

  /** How the names of the files begin that the store cannot do without. */
  protected abstract String namesBegin();

  /** A store that was written and then closed, or its process killed. */
  private final class Filled {
    private final SimulatedFileSystem files = new SimulatedFileSystem();

    /** All values that a key ever had; removed is empty. */
    private final Map<String, List<String>> history = new TreeMap<>();

    private final Map<String, String> newest = new TreeMap<>();
    private long lastVersion;

    Filled(Random random) throws IOException {
      boolean killed = random.nextInt(3) == 0;
      int rounds = 1 + random.nextInt(2);
      for (int round = 0; round < rounds; round++) {
        boolean last = killed && round == rounds - 1;
        KeyValueStore store = SalvageContract.this.open(files.calls(), last);
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
      return SalvageContract.this.open(files.calls(), false);
    }

    StoreCheck verify(DamageListener listener) throws IOException {
      return SalvageContract.this.verify(files.calls(), listener);
    }

    RepairResult repair(RepairListener listener) throws IOException {
      return SalvageContract.this.repair(files.calls(), listener);
    }

    List<String> needed() {
      return files.names().stream().filter(name -> name.startsWith(namesBegin())).toList();
    }

    Map<String, String> contents() throws IOException {
      try (KeyValueStore store = open()) {
        return Texts.contents(store);
      }
    }
  }

  @Test
  void findsNothingWrongWithWhatWasNotDamaged() throws IOException {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + 60; seed++) {
      Filled filled = new Filled(new Random(seed));
      Map<String, byte[]> before = new HashMap<>();
      filled.files.names().forEach(name -> before.put(name, filled.files.content(name)));
      Findings findings = new Findings();
      StoreCheck check = filled.verify(findings);
      assertTrue(check.isWhole(), "seed " + seed + ": " + findings);
      assertEquals(StoreCheck.Keys.NONE, check.keys());
      assertTrue(filled.repair(findings).originals().isEmpty());
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
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + Soak.rounds(150, 20_000); seed++) {
      Random random = new Random(seed);
      Filled filled = new Filled(random);
      String last = filled.needed().getLast();
      List<String> done = Damager.damage(filled.files, random);
      String place = "seed " + seed + ", " + done;
      if (filled.needed().isEmpty()) {
        continue;
      }
      Findings found = new Findings();
      StoreCheck check = filled.verify(found);
      Findings repaired = new Findings();
      StoreCheck same = filled.repair(repaired).found();
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
      assertTrue(filled.verify(nothing).isWhole(), place + ": " + nothing);
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
        || done.stream().anyMatch(what -> what.matches(last + " (cut|deleted|zeroed).*"));
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
      // A removal in the missing end is not known: the key was there as of what is left.
      assertFalse(right && found.isCertain(key) && !cut, what + ", a false alarm");
    }
    for (String key : contents.keySet()) {
      assertTrue(filled.history.containsKey(key), place + ": " + key + " never was");
    }
  }

  /** By a killed process and by a power loss, in front of every call that changes something. */
  @Test
  void aRepairThatIsStoppedAnywhereLosesNothingMoreAndCanBeRunAgain() throws IOException {
    int repairs = 0;
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + Soak.rounds(10, 2000); seed++) {
      Random random = new Random(seed);
      Filled filled = new Filled(random);
      List<String> done = Damager.damage(filled.files, random);
      if (filled.needed().isEmpty() || filled.verify(new Findings()).isWhole()) {
        continue;
      }
      SimulatedFileSystem whole = filled.files.copy();
      repair(whole.calls(), new Findings());
      int[] changes = whole.changes();
      assertTrue(changes.length > 5, "changes: " + changes.length);
      Map<String, String> repaired = contents(whole);
      for (int call : changes) {
        for (boolean power : new boolean[] {false, true}) {
          String place = "seed " + seed + ", " + done + ", call " + call + ", power loss " + power;
          SimulatedFileSystem files = filled.files.copy();
          stopARepair(files, call, power, random);
          checkOriginals(filled.files, files, place);
          try {
            repair(files.calls(), new Findings());
            assertTrue(verify(files.calls(), new Findings()).isWhole(), place);
            checkOriginals(filled.files, files, place);
            assertEquals(repaired, contents(files), place);
          } catch (IOException failed) {
            throw new AssertionError(place + " " + files.names(), failed);
          }
        }
      }
      repairs++;
    }
    assertTrue(repairs > 3, "repairs: " + repairs);
  }

  private void stopARepair(SimulatedFileSystem files, int call, boolean power, Random random) {
    files.stopAfterCalls(call, false);
    assertThrows(PowerLoss.class, () -> repair(files.calls(), new Findings()));
    if (power) {
      files.losePower(random);
    } else {
      files.killProcess();
    }
  }

  /** What the store does not have any more as it was is in one of the directories beside. */
  private static void checkOriginals(
      SimulatedFileSystem before, SimulatedFileSystem after, String place) {
    for (String name : before.names()) {
      byte[] original = before.content(name);
      boolean isThere =
          after.names().contains(name) && Arrays.equals(original, after.content(name));
      boolean isAside =
          after.subdirectories().stream()
              .anyMatch(
                  aside ->
                      after
                          .content(aside, name)
                          .filter(kept -> Arrays.equals(original, kept))
                          .isPresent());
      assertTrue(isThere || isAside, place + ": nobody has " + name);
    }
  }

  private Map<String, String> contents(SimulatedFileSystem files) throws IOException {
    try (KeyValueStore store = open(files.calls(), false)) {
      return Texts.contents(store);
    }
  }
}
