package dev.tailwater.store.log;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.KeyValueStoreContract;
import java.io.IOException;
import java.time.InstantSource;

/** The transaction-log mode does what every mode does. */
class TransactionLogContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(PosixPath directory, InstantSource clock) throws IOException {
    return TransactionLogStore.open(
        LinuxFileCalls.create(),
        directory,
        StoreOptions.defaults().withClock(clock).withCompactAboveBytes(200));
  }
}
