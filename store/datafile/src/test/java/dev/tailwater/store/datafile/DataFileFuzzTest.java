package dev.tailwater.store.datafile;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.FuzzRun;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Damaged files of a data-file store; see {@link FuzzRun}. */
class DataFileFuzzTest {
  private static final DataFileOptions OPTIONS =
      DataFileOptions.defaults()
          .withFileBytes(4096)
          .withBackground(Runnable::run)
          .withWriteWithin(Duration.ofHours(1));

  private final FuzzRun run = new FuzzRun(DataFileFuzzTest::open);

  private static KeyValueStore open(FileCalls calls) throws IOException {
    return DataFileStore.open(calls, SimulatedFileSystem.STORE, OPTIONS);
  }

  @Test
  void neverGivesAWrongValueWhateverIsDamaged() throws IOException {
    run.neverGivesAWrongValue(Soak.rounds(300, 50_000));
  }

  @Test
  void doesNotMindDamagedHints() throws IOException {
    run.doesNotMindDamageTo("hint-", Soak.rounds(80, 10_000));
  }

  @Test
  void doesNotMindADamagedIndexSnapshot() throws IOException {
    run.doesNotMindDamageTo("index", Soak.rounds(80, 10_000));
  }
}
