package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.FanotifyEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** Whether whole file systems can be watched here, and kernels that know less. */
final class Fanotify {
  /** No capability, no fanotify in the kernel, or a file system without handles or ids. */
  private static final Set<Errno> NOT_HERE =
      EnumSet.of(Errno.EPERM, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.ENODEV, Errno.EXDEV);

  private Fanotify() {}

  static void assumePermitted(FileCalls calls, Path on) throws IOException {
    try (Descriptor directory =
        Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(on), Set.of(), 0)) {
      int fd = calls.fanotifyInit();
      try {
        calls.fanotifyMarkFileSystem(fd, directory.fd(), Set.of(FanotifyEvent.CREATE));
      } finally {
        calls.close(fd);
      }
    } catch (ErrnoException e) {
      if (!NOT_HERE.contains(e.errno())) {
        throw e; // a mistake of ours must not pass for a kernel that cannot
      }
      abort("the file system of " + on + " cannot be watched: " + e.getMessage());
    }
  }

  /** As before Linux 5.17. */
  static FileCalls withoutRenameEvents(FileCalls real) {
    FaultPlan plan = FaultPlan.when(Fanotify::asksForRenames, new Fault.Fail(Errno.EINVAL));
    return FaultyFileCalls.wrap(real, plan).calls();
  }

  private static boolean asksForRenames(Call call) {
    return call.is("fanotifyMarkFileSystem")
        && call.arguments().get(2) instanceof Set<?> events
        && events.contains(FanotifyEvent.RENAME);
  }
}
