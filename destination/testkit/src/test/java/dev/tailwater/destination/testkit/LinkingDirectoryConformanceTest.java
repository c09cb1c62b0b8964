package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.RenameFlag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** The conformance tests for a directory on a file system without RENAME_NOREPLACE, such as NFS. */
class LinkingDirectoryConformanceTest extends DestinationConformance {
  private static final FaultPlan NO_RENAME_NOREPLACE =
      FaultPlan.when(
          call ->
              call.is("rename")
                  && call.arguments().get(4) instanceof Set<?> flags
                  && flags.contains(RenameFlag.NO_REPLACE),
          new Fault.Fail(Errno.EINVAL));

  @TempDir Path directory;

  @Override
  protected Destination open() throws IOException {
    FaultyFileCalls calls = FaultyFileCalls.wrap(LinuxFileCalls.create(), NO_RENAME_NOREPLACE);
    return Destinations.open(
        directory.toString(),
        OpenIntent.WRITE,
        new DestinationContext(calls.calls(), InstantSource.system(), new Random()));
  }
}
