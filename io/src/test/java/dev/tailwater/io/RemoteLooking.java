package dev.tailwater.io;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileSystemStatus;
import java.util.function.BooleanSupplier;

/** Real calls whose statfs says NFS: there is no NFS client in every test kernel. */
public final class RemoteLooking {
  private static final long NFS = 0x6969;

  private RemoteLooking() {}

  public static FileCalls wrap(FileCalls real) {
    return wrap(real, () -> true);
  }

  /** Remote while the condition holds. */
  public static FileCalls wrap(FileCalls real, BooleanSupplier remote) {
    return WrappedCalls.of(
        real,
        (_, _, call) -> {
          Object result = call.make();
          return result instanceof FileSystemStatus is && remote.getAsBoolean()
              ? new FileSystemStatus(
                  NFS,
                  is.id(),
                  is.blockSizeBytes(),
                  is.totalBytes(),
                  is.availableBytes(),
                  is.freeInodes(),
                  is.maxNameBytes())
              : result;
        });
  }
}
