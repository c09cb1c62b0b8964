package dev.tailwater.store.log;

import dev.tailwater.store.simulated.FuzzRun;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import dev.tailwater.store.simulated.Soak;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Damaged logs and snapshots; see {@link FuzzRun}. */
class TransactionLogFuzzTest {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withCompactAboveBytes(4000).withCompactor(Runnable::run);

  @Test
  void neverGivesAWrongValueWhateverIsDamaged() throws IOException {
    new FuzzRun(calls -> TransactionLogStore.open(calls, SimulatedFileSystem.STORE, OPTIONS))
        .neverGivesAWrongValue(Soak.rounds(300, 50_000));
  }
}
