package dev.tailwater.store.log.salvage;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import dev.tailwater.store.simulated.SalvageContract;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import java.io.IOException;
import java.time.InstantSource;

/** Damaged transaction logs; see {@link SalvageContract}. */
class LogSalvageTest extends SalvageContract {
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().withCompactAboveBytes(2500).withCompactor(Runnable::run);

  @Override
  protected KeyValueStore open(FileCalls calls, boolean toBeKilled) throws IOException {
    StoreOptions options = toBeKilled ? OPTIONS.withCompactAboveBytes(Long.MAX_VALUE) : OPTIONS;
    return TransactionLogStore.open(calls, SimulatedFileSystem.STORE, options);
  }

  private static LogSalvage salvage(FileCalls calls) {
    return new LogSalvage(calls, SimulatedFileSystem.STORE, InstantSource.system());
  }

  @Override
  protected StoreCheck verify(FileCalls calls, DamageListener listener) throws IOException {
    return salvage(calls).verify(listener);
  }

  @Override
  protected RepairResult repair(FileCalls calls, RepairListener listener) throws IOException {
    return salvage(calls).repair(listener);
  }

  @Override
  protected String namesBegin() {
    return "log-";
  }
}
