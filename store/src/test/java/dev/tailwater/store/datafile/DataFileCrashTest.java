package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.simulated.PowerLoss;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Runs random writes of all durabilities on a simulated file system, stops at a call, by a killed
 * process or a power loss that tears what was not synced, opens the store again, and compares it
 * with a plain map: it holds what it held after some write, and not before the last that was
 * acknowledged as durable.
 */
class DataFileCrashTest {
  private static final int WRITES = 25;

  /** Small, so that 25 writes fill several files; and nothing happens because time has passed. */
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withSegmentBytes(6 * 1024)
          .withSyncAboveBytes(Long.MAX_VALUE)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  @Test
  void losesNothingDurableWhereverTheMachineStops() {
    for (long seed = 1; seed <= 2; seed++) {
      long calls = new Run(seed).countCalls();
      assertTrue(calls > 100, "the run makes " + calls + " calls");
      for (long call = 1; call <= calls; call++) {
        for (boolean afterEffect : new boolean[] {false, true}) {
          for (boolean power : new boolean[] {false, true}) {
            Run run = new Run(seed);
            run.stopAndCheck(call, afterEffect, power);
            run.writeMoreAndCheck();
          }
        }
      }
    }
  }

  @Test
  void losesNothingDurableOverManyStopsInARow() {
    for (long seed = 1; seed <= 60; seed++) {
      Run run = new Run(seed);
      for (int stop = 0; stop < 10; stop++) {
        int call = 1 + run.random.nextInt(stop % 3 == 0 ? 30 : 150);
        run.stopAndCheck(call, run.random.nextBoolean(), run.random.nextBoolean());
      }
      run.writeMoreAndCheck();
    }
  }

  /** One file system, and what it may hold. */
  private static final class Run {
    private final long seed;
    private final Random random;

    /** Other numbers than the choices, which must not depend on how many salts are drawn. */
    private final Random salts;

    private final SimulatedFileSystem files = new SimulatedFileSystem();

    /** What the store held after each write, from the last durable one on. */
    private final List<Map<String, String>> states = new ArrayList<>(List.of(new TreeMap<>()));

    private String place = "";

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.salts = new Random(-seed);
    }

    long countCalls() {
      writeUntilStopped();
      return files.callCount();
    }

    void stopAndCheck(long call, boolean afterEffect, boolean power) {
      place =
          "seed "
              + seed
              + ", call "
              + call
              + (afterEffect ? " after" : " before")
              + (power ? ", power loss" : ", process killed");
      files.stopAfterCalls(call, afterEffect);
      writeUntilStopped();
      if (power) {
        files.losePower(random);
      } else {
        files.killProcess();
      }
      check();
    }

    void writeMoreAndCheck() {
      writeUntilStopped();
      files.killProcess();
      assertEquals(1, states.size(), place + ": all is durable once the store was closed");
      check();
    }

    /** The store may stop at any point of this, in opening and closing too. */
    private void writeUntilStopped() {
      try {
        writeAndClose();
        isDurable(states.getLast());
      } catch (PowerLoss stopped) {
        assertTrue(files.callCount() > 0, place);
      } catch (IOException failed) {
        if (!(rootOf(failed) instanceof PowerLoss)) {
          throw new AssertionError(place, failed);
        }
      }
    }

    private void writeAndClose() throws IOException {
      try (KeyValueStore store = open()) {
        for (int i = 0; i < WRITES; i++) {
          write(store);
        }
      }
    }

    private static Throwable rootOf(Throwable failed) {
      Throwable root = failed;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      return root;
    }

    private void isDurable(Map<String, String> state) {
      states.clear();
      states.add(state);
    }

    private void write(KeyValueStore store) throws IOException {
      Map<String, String> after = new TreeMap<>(states.getLast());
      boolean group = random.nextInt(3) == 0;
      WriteOptions options =
          WriteOptions.defaults().withDurability(group ? Durability.GROUP : Durability.NONE);
      String key = "key" + random.nextInt(10);
      switch (random.nextInt(6)) {
        case 0 -> {
          after.remove(key);
          states.add(after);
          group &= store.remove(Texts.bytes(key), options); // else nothing was written
        }
        case 1 -> {
          WriteBatch batch = new WriteBatch();
          for (int i = random.nextInt(6); i >= 0; i--) {
            String other = "key" + random.nextInt(10);
            String value = value();
            batch.put(Texts.bytes(other), Texts.bytes(value));
            after.put(other, value);
          }
          states.add(after);
          store.apply(batch, options);
        }
        case 2 -> {
          after.put(key, after.getOrDefault(key, "") + "x");
          states.add(after);
          store.append(Texts.bytes(key), Texts.bytes("x"), options);
        }
        default -> {
          after.put(key, value());
          states.add(after);
          store.put(Texts.bytes(key), Texts.bytes(after.get(key)), options);
        }
      }
      assertEquals(
          Optional.ofNullable(after.get(key)), store.get(Texts.bytes(key)).map(Texts::text), place);
      if (group) {
        isDurable(after);
      }
    }

    private String value() {
      // Some span several sectors, so that they can be torn.
      byte[] value = new byte[random.nextInt(random.nextInt(3) == 0 ? 1400 : 60)];
      random.nextBytes(value);
      return Texts.text(value);
    }

    private void check() {
      try (KeyValueStore store = open()) {
        Map<String, String> found = Texts.contents(store);
        assertTrue(
            states.contains(found),
            () ->
                place
                    + ": "
                    + brief(found)
                    + " is none of "
                    + states.stream().map(Run::brief).toList());
        assertEquals(found.size(), store.statistics().keys(), place);
        isDurable(found); // opening makes it so
      } catch (IOException failed) {
        throw new AssertionError(place + " " + files.names(), failed);
      }
    }

    private static Map<String, String> brief(Map<String, String> state) {
      Map<String, String> brief = new TreeMap<>();
      state.forEach(
          (key, value) ->
              brief.put(key, value.length() + "/" + Integer.toHexString(value.hashCode())));
      return brief;
    }

    private KeyValueStore open() throws IOException {
      return DataFileStore.open(
          files.calls(), SimulatedFileSystem.STORE, OPTIONS.withRandom(salts));
    }
  }
}
