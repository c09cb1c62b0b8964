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

/** Crashes of a data-file store that vacuums between and while it writes; see {@link CrashRun}. */
class VacuumCrashTest implements CrashRun.Mode {
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(4 * 1024)
          .withSyncAboveBytes(Long.MAX_VALUE)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  @Test
  void losesNothingDurableAndBringsNothingBackWhereverTheMachineStops() {
    CrashRun.stopEverywhere(this, Soak.rounds(2, 40));
  }

  @Test
  void losesNothingDurableAndBringsNothingBackOverManyStopsInARow() {
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
    return List.of(Durability.GROUP, Durability.NONE);
  }

  @Override
  public int writes() {
    return 18;
  }

  @Override
  public void tend(KeyValueStore store, RandomGenerator random) throws IOException {
    if (random.nextInt(6) == 0) {
      ((DataFileStore) store).vacuum();
    }
  }
}
