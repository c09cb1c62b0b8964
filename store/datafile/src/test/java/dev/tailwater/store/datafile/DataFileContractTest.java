package dev.tailwater.store.datafile;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.KeyValueStoreContract;
import java.io.IOException;
import java.time.InstantSource;

/** The data-file mode does what every mode does. */
class DataFileContractTest extends KeyValueStoreContract {
  @Override
  protected KeyValueStore open(PosixPath directory, InstantSource clock) throws IOException {
    return DataFileStore.open(
        LinuxFileCalls.create(), directory, DataFileOptions.defaults().withClock(clock));
  }
}
