package dev.tailwater.io.mount;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Real calls whose statx gives no mount id, as before Linux 5.8. */
final class OldKernel {
  private OldKernel() {}

  static FileCalls wrap(FileCalls real) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof FileStatus status ? withoutMountId(status) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
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
