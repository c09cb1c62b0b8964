package dev.tailwater.io.mount;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Records;
import dev.tailwater.posix.value.FileStatus;
import java.util.Map;

/** Real calls whose statx gives no mount id, as before Linux 5.8. */
final class OldKernel {
  private OldKernel() {}

  static FileCalls wrap(FileCalls real) {
    return WrappedCalls.of(
        real,
        (_, _, call) -> {
          Object result = call.make();
          return result instanceof FileStatus status ? withoutMountId(status) : result;
        });
  }

  private static FileStatus withoutMountId(FileStatus status) {
    return Records.like(status, Map.of("mountId", 0L));
  }
}
