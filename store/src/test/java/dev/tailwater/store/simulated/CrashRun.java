package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Runs random writes on a simulated file system, stops at a call, by a killed process or a power
 * loss that tears and reorders what was not synced, opens the store again, and compares it with a
 * map. What holds is "What survives what" in docs/store-format.md: the store holds what it held
 * after some write, the last one that is known to be durable or a later one; so never a later write
 * without an earlier one, nor a part of a batch.
 */
public final class CrashRun {
  private static final int MAX_STEP_MILLIS = 10;

  /** One mode of the store, and what is done to it besides writing. */
  public interface Mode {
    /**
     * Opens the store. Nothing in it may happen because time has passed, and nothing at the same
     * time as something else, or a seed would not give the same calls again.
     */
    KeyValueStore open(FileCalls calls, RandomGenerator salts, InstantSource clock)
        throws IOException;

    /** Durabilities among which writes choose; what a mode makes of them it must keep. */
    List<Durability> durabilities();

    /** Writes between an opening and a closing. */
    int writes();

    /** Does something besides writing now and then, that changes no contents. */
    default void tend(KeyValueStore store, RandomGenerator random) throws IOException {}

    /** Looks at the files of a store that nobody has open and that must hold this, if anything. */
    default void look(SimulatedFileSystem files, Model contents) throws IOException {}
  }

  private final Mode mode;
  private final long seed;
  private final Random random;

  /** Other numbers than the choices, which must not depend on how many salts are drawn. */
  private final Random salts;

  private final RandomWrites writes;
  private final SimulatedFileSystem files = new SimulatedFileSystem();
  private long nowMillis = 1_000_000;

  /** What the store held after each write, from the last durable one on. */
  private final List<Model> states = new ArrayList<>(List.of(Model.EMPTY));

  private String place;

  private CrashRun(Mode mode, long seed) {
    this.mode = mode;
    this.seed = seed;
    this.random = new Random(seed);
    this.salts = new Random(-seed);
    this.writes = new RandomWrites(random, mode.durabilities(), isExpiring());
    this.place = "seed " + seed;
  }

  private boolean isExpiring() {
    return seed % 2 == 0;
  }

  /**
   * Stops a run in front of every call that changes something, and behind the last one, by a killed
   * process and a power loss. In between, the files are the same, and no more is known to be
   * durable than in front of the next such call.
   */
  public static void stopEverywhere(Mode mode, int seeds) {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + seeds; seed++) {
      CrashRun whole = new CrashRun(mode, seed);
      whole.writeUntilStopped();
      int[] changes = whole.files.changes();
      assertTrue(changes.length > 50, "the run makes " + changes.length + " changes");
      for (int call : changes) {
        stopAt(mode, seed, call, false);
      }
      stopAt(mode, seed, whole.files.callCount(), true);
    }
  }

  private static void stopAt(Mode mode, long seed, long call, boolean afterEffect) {
    for (boolean power : new boolean[] {false, true}) {
      CrashRun run = new CrashRun(mode, seed);
      run.stopAndCheck(call, afterEffect, power);
      run.writeMoreAndCheck();
    }
  }

  /** Stops many times in a row, also while the store is being opened after the stop before. */
  public static void stopOftenInARow(Mode mode, int seeds, int stops) {
    long first = Soak.firstSeed();
    for (long seed = first; seed < first + seeds; seed++) {
      CrashRun run = new CrashRun(mode, seed);
      for (int stop = 0; stop < stops; stop++) {
        int call = 1 + run.random.nextInt(stop % 3 == 0 ? 30 : 150);
        run.stopAndCheck(call, run.random.nextBoolean(), run.random.nextBoolean());
      }
      run.writeMoreAndCheck();
    }
  }

  private void stopAndCheck(long call, boolean afterEffect, boolean power) {
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

  private void writeMoreAndCheck() {
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
    } catch (AssertionError | RuntimeException wrong) {
      throw new AssertionError(place, wrong);
    }
  }

  private void writeAndClose() throws IOException {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < mode.writes(); i++) {
        nowMillis += random.nextInt(MAX_STEP_MILLIS);
        RandomWrites.Outcome outcome =
            writes.write(store, states.getLast(), nowMillis, this::announce);
        if (outcome.durable()) {
          isDurable(outcome.after());
        }
        mode.tend(store, random);
      }
    }
  }

  private void announce(Model after) {
    if (!after.equals(states.getLast())) {
      states.add(after);
    }
  }

  private void isDurable(Model state) {
    states.clear();
    states.add(state);
  }

  private static Throwable rootOf(Throwable failed) {
    Throwable root = failed;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private void check() {
    try {
      List<Model> allowed = states.stream().map(state -> state.at(nowMillis)).toList();
      Model found;
      try (KeyValueStore store = open()) {
        found = Model.of(store);
        assertTrue(allowed.contains(found), () -> place + ": " + found + " is none of " + allowed);
        long keys = store.statistics().keys();
        assertTrue(
            isExpiring() ? keys >= found.entries().size() : keys == found.entries().size(),
            () -> place + ": " + keys + " keys of " + found);
      }
      mode.look(files, found);
      isDurable(found); // opening makes it so
    } catch (IOException failed) {
      throw new AssertionError(place + " " + files.names(), failed);
    }
  }

  private KeyValueStore open() throws IOException {
    return mode.open(files.calls(), salts, () -> Instant.ofEpochMilli(nowMillis));
  }
}
