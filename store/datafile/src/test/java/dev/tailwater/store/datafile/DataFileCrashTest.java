package dev.tailwater.store.datafile;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.CrashRun;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Crashes of a data-file store; see {@link CrashRun}. */
class DataFileCrashTest implements CrashRun.Mode {
  /** Small, so that 25 writes fill several files; and nothing happens because time has passed. */
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(6 * 1024)
          .withSyncAboveBytes(Long.MAX_VALUE)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  @Test
  void losesNothingDurableWhereverTheMachineStops() {
    CrashRun.stopEverywhere(this, Soak.rounds(2, 40));
  }

  @Test
  void losesNothingDurableOverManyStopsInARow() {
    CrashRun.stopOftenInARow(this, Soak.rounds(25, 3000), 10);
  }

  @Override
  public KeyValueStore open(FileCalls calls, RandomGenerator salts, InstantSource clock)
      throws IOException {
    return DataFileStore.open(
        calls, SimulatedFileSystem.STORE, OPTIONS.withRandom(salts).withClock(clock));
  }

  @Override
  public List<Durability> durabilities() {
    return List.of(Durability.GROUP, Durability.NONE, Durability.periodic(Duration.ofHours(1)));
  }

  @Override
  public int writes() {
    return 25;
  }
}
