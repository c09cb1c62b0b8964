package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.Durability;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.CrashRun;
import dev.tailwater.store.simulated.Model;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Crashes of a transaction log; see {@link CrashRun}. */
class TransactionLogCrashTest implements CrashRun.Mode {
  /** Small, so that 60 writes make several compactions. */
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .withCompactAboveBytes(1500)
          .withCompactor(Runnable::run)
          .withWriteWithin(Duration.ofDays(1));

  @Test
  void losesNothingAcknowledgedWhereverTheMachineStops() {
    CrashRun.stopEverywhere(this, Soak.rounds(2, 40));
  }

  @Test
  void losesNothingAcknowledgedOverManyStopsInARow() {
    CrashRun.stopOftenInARow(this, Soak.rounds(60, 3000), 12);
  }

  @Override
  public KeyValueStore open(FileCalls calls, RandomGenerator salts, InstantSource clock)
      throws IOException {
    return TransactionLogStore.open(
        calls, SimulatedFileSystem.STORE, OPTIONS.withRandom(salts).withClock(clock));
  }

  @Override
  public List<Durability> durabilities() {
    return List.of(Durability.GROUP, Durability.NONE, Durability.periodic(Duration.ofMillis(5)));
  }

  @Override
  public int writes() {
    return 60;
  }

  @Override
  public void look(SimulatedFileSystem files, Model contents) throws IOException {
    // The tool has no clock: it shows what has expired too.
    Map<String, String> shown =
        Texts.contents(new StoreTool(files.calls(), SimulatedFileSystem.STORE));
    contents.entries().forEach((key, value) -> assertEquals(value.text(), shown.get(key), key));
  }
}
