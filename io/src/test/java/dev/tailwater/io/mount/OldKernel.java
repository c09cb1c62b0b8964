package dev.tailwater.io.mount;

import dev.tailwater.io.WrappedCalls;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;

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
    return new FileStatus(
        status.device(),
        status.inode(),
        status.type(),
        status.permissions(),
        status.ownerId(),
        status.groupId(),
        status.links(),
        status.sizeBytes(),
        status.allocatedBytes(),
        status.blockSizeBytes(),
        status.modificationTimeNanos(),
        status.changeTimeNanos(),
        status.birthTimeNanos(),
        0);
  }
}
