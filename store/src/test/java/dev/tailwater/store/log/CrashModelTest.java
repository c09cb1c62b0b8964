package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.simulated.PowerLoss;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Runs random writes on a simulated file system, stops at a call, by a killed process or a power
 * loss that tears what was not synced, opens the store again, and compares it with a plain map:
 * what was acknowledged is there; the write under way is there as a whole or not at all.
 */
class CrashModelTest {
  private static final int WRITES = 30;

  /** Small, so that 30 writes make several compactions. */
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withCompactAboveBytes(1500).withCompactor(Runnable::run);

  @Test
  void losesNothingAcknowledgedWhereverTheMachineStops() {
    for (long seed = 1; seed <= 3; seed++) {
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
  void losesNothingAcknowledgedOverManyStopsInARow() {
    for (long seed = 1; seed <= 150; seed++) {
      Run run = new Run(seed);
      for (int stop = 0; stop < 12; stop++) {
        int call = 1 + run.random.nextInt(stop % 3 == 0 ? 20 : 120);
        run.stopAndCheck(call, run.random.nextBoolean(), run.random.nextBoolean());
      }
      run.writeMoreAndCheck();
    }
  }

  /** One file system, and what it must hold. */
  private static final class Run {
    private final long seed;
    private final Random random;
    private final SimulatedFileSystem files = new SimulatedFileSystem();
    private Map<String, String> acknowledged = new TreeMap<>();
    private Map<String, String> underWay = acknowledged;
    private String place = "";

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
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
      assertEquals(acknowledged, underWay, place);
      files.killProcess();
      check();
    }

    /** The store may stop at any point of this, in opening and closing too. */
    private void writeUntilStopped() {
      try (KeyValueStore store =
          TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS)) {
        for (int i = 0; i < WRITES; i++) {
          WriteBatch batch = randomBatch();
          store.apply(batch);
          acknowledged = underWay;
        }
      } catch (PowerLoss stopped) {
        assertTrue(files.callCount() > 0, place);
      } catch (IOException failed) {
        if (!(rootOf(failed) instanceof PowerLoss)) {
          throw new AssertionError(place, failed);
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

    private WriteBatch randomBatch() {
      WriteBatch batch = new WriteBatch();
      underWay = new TreeMap<>(acknowledged);
      int size = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1;
      for (int i = 0; i < size; i++) {
        String key = "key" + random.nextInt(10);
        if (random.nextInt(4) == 0) {
          batch.remove(Texts.bytes(key));
          underWay.remove(key);
        } else {
          // Some span several sectors, so that they can be torn.
          byte[] value = new byte[random.nextInt(random.nextInt(3) == 0 ? 1400 : 60)];
          random.nextBytes(value);
          batch.put(Texts.bytes(key), value);
          underWay.put(key, Texts.text(value));
        }
      }
      return batch;
    }

    private void check() {
      Map<String, String> found;
      try {
        StoreTool tool = new StoreTool(files.calls(), SimulatedFileSystem.STORE);
        found = files.names().isEmpty() ? new TreeMap<>() : Texts.contents(tool);
        try (KeyValueStore store =
            TransactionLogStore.open(files.calls(), SimulatedFileSystem.STORE, OPTIONS)) {
          assertEquals(found, Texts.contents(store), place + ": the tool sees what the store does");
        }
      } catch (IOException failed) {
        throw new AssertionError(place, failed);
      }
      List<Map<String, String>> allowed = new ArrayList<>(List.of(acknowledged, underWay));
      assertTrue(allowed.contains(found), place + ": " + found + " is none of " + allowed);
      acknowledged = found;
      underWay = found;
    }
  }
}
