package dev.tailwater.store.log;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.simulated.SizeContract;
import java.io.IOException;

/** Sizes near the limits; see {@link SizeContract}. */
class TransactionLogSizeTest extends SizeContract {
  @Override
  protected KeyValueStore open(PosixPath directory) throws IOException {
    return TransactionLogStore.open(LinuxFileCalls.create(), directory, StoreOptions.defaults());
  }
}
