package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Source files that cannot be opened, read or closed, as on a FUSE file system whose server fails.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FailingSourceFilesTest {
  @TempDir private Path base;

  /** Real calls, of which those of this name fail after they were made of the file. */
  private static FileCalls failing(String name, Path file) {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              boolean fails = method.getName().startsWith(name) && isOf(file, (int) arguments[0]);
              try {
                Object result = method.invoke(TestAgent.REAL_CALLS, arguments);
                if (fails) {
                  throw ErrnoException.of(name, "fd " + arguments[0], Errno.EIO);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static boolean isOf(Path file, int fd) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).equals(file);
  }

  @Test
  void aSourceFileThatCannotBeClosedIsOneHarmlessProblemWithItsName() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = Files.writeString(place.log("app.log"), "a line\n");
    FileCalls calls = failing("close", file);
    try (TestAgent agent =
        TestAgent.start(
            place.config(), place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), calls)) {
      agent.awaitDelivered(file);
      assertTrue(agent.drain().isComplete());
      agent.agent().close(); // Does not fail.
      List<Problem> closing =
          agent.problems.stream().filter(p -> p.message().startsWith("close ")).toList();
      assertEquals(1, closing.size(), agent.problems.toString());
      assertTrue(closing.getFirst().message().startsWith("close " + file + ": EIO"));
      assertFalse(closing.getFirst().bytesDependOnIt());
    }
  }

  @Test
  void aFileThatCannotBeReadIsNamedInsteadOfItsDescriptor() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path file = Files.writeString(place.log("app.log"), "a line\n");
    FileCalls calls = failing("pread", file);
    try (TestAgent agent =
        TestAgent.start(
            place.config(), place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), calls)) {
      TestAgent.await("it fails", () -> !agent.problems.isEmpty());
      assertTrue(
          agent.problems.getFirst().message().startsWith("pread " + file + ": EIO"),
          agent.problems.toString());
    }
  }

  @Test
  void aFileThatCannotBeOpenedIsAtRiskToAnUnknownExtent() throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Files.writeString(place.log("app.log"), "a line\n");
    FileCalls calls =
        FaultyFileCalls.wrap(
                TestAgent.REAL_CALLS,
                call ->
                    call.method().startsWith("open") && call.toString().contains("app.log")
                        ? new Fault.Fail(Errno.EACCES)
                        : Fault.PROCEED)
            .calls();
    try (TestAgent agent =
        TestAgent.start(
            place.config(), place.openArchive(TestAgent.REAL_CALLS, OpenIntent.WRITE), calls)) {
      TestAgent.await(
          "it is counted",
          () -> agent.agent().status().running().orElseThrow().watching().unopenedFiles() == 1);
    }
  }
}
