package dev.tailwater.store.datafile;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.SizeContract;
import java.io.IOException;

/** Sizes near the limits; see {@link SizeContract}. */
class DataFileSizeTest extends SizeContract {
  @Override
  protected KeyValueStore open(PosixPath directory) throws IOException {
    return DataFileStore.open(LinuxFileCalls.create(), directory, DataFileOptions.defaults());
  }
}
