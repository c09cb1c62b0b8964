package dev.tailwater.store.datafile;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.AsyncContract;
import java.io.IOException;
import java.time.InstantSource;

/** The data-file mode does for callers who do not wait what every mode does. */
class DataFileAsyncTest extends AsyncContract {
  @Override
  protected KeyValueStore open(FileCalls calls, PosixPath directory, InstantSource clock)
      throws IOException {
    return DataFileStore.open(calls, directory, DataFileOptions.defaults().withClock(clock));
  }
}
