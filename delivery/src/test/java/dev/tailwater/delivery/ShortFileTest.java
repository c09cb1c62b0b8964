package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file whose size is larger than what can be read of it, as those of sysfs. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ShortFileTest {
  private static final int SIZE_BYTES = 4096;

  @TempDir private Path base;

  /** Real calls that tell a larger size of a file. */
  private static FileCalls calls(Path file) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(TestAgent.REAL_CALLS, arguments);
                return result instanceof FileStatus status && isOf(file, status)
                    ? withSize(status)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static boolean isOf(Path file, FileStatus status) throws IOException {
    return status.inode() == (long) Files.getAttribute(file, "unix:ino");
  }

  private static FileStatus withSize(FileStatus status) {
    return new FileStatus(
        status.device(),
        status.inode(),
        status.type(),
        status.permissions(),
        status.ownerId(),
        status.groupId(),
        status.links(),
        SIZE_BYTES,
        status.allocatedBytes(),
        status.blockSizeBytes(),
        status.modificationTimeNanos(),
        status.changeTimeNanos(),
        status.birthTimeNanos(),
        status.mountId());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDrainWithoutADeadlineEndsAndNamesTheBytesThatCannotBeRead(boolean packs) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = Files.writeString(place.log("enabled"), "always [madvise]\n");
    Path other = Files.writeString(place.log("other"), "other\n");
    AgentConfig config =
        place.config().toBuilder().packs(packs ? PackUse.ALWAYS : PackUse.NEVER).build();
    try (TestAgent agent =
        TestAgent.start(
            config, place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), calls(file))) {
      DrainReport report = agent.agent().drain(Optional.empty());
      assertFalse(report.isComplete());
      assertEquals(SIZE_BYTES - Files.size(file), report.leftBehindBytes());
      String message = report.problems().getFirst().message();
      assertTrue(message.startsWith(file + ": only 17 bytes can be read"), message);
      assertTrue(agent.agent().status(PosixPath.of(other)).isDelivered());
    }
  }
}
