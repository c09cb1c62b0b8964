package dev.tailwater.store.log;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.AsyncContract;
import java.io.IOException;
import java.time.InstantSource;

/** The transaction-log mode does for callers who do not wait what every mode does. */
class TransactionLogAsyncTest extends AsyncContract {
  @Override
  protected KeyValueStore open(FileCalls calls, PosixPath directory, InstantSource clock)
      throws IOException {
    return TransactionLogStore.open(
        calls, directory, StoreOptions.defaults().withClock(clock).withCompactAboveBytes(30_000));
  }
}
