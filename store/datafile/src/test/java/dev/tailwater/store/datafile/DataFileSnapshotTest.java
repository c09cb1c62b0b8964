package dev.tailwater.store.datafile;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.SnapshotContract;
import java.io.IOException;
import java.time.InstantSource;

/** The data-file mode shows of one moment what every mode does. */
class DataFileSnapshotTest extends SnapshotContract {
  @Override
  protected KeyValueStore open(FileCalls calls, PosixPath directory, InstantSource clock)
      throws IOException {
    return DataFileStore.open(calls, directory, DataFileOptions.defaults().withClock(clock));
  }
}
