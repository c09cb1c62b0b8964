package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each errno becomes the right kind of failure, and nothing is left behind. */
class DirectoryFailuresTest {
  @TempDir Path root;

  private final FileCalls real = LinuxFileCalls.create();

  @Test
  void callsAFullFileSystemPermanentAndGoesOnWhenThereIsSpaceAgain() throws IOException {
    try (MountedFileSystem small = TestFileSystems.tmpfs(4 << 20);
        Destination archive = Archive.open(small.root(), real)) {
      put(archive, "a/1", 3 << 20);
      DestinationException e =
          assertThrows(PermanentDestinationException.class, () -> put(archive, "a/2", 3 << 20));
      assertEquals(Errno.ENOSPC, e.errno().orElseThrow());
      assertTrue(e.getMessage().startsWith("put a/2 at file:///"), e.getMessage());
      assertTrue(e.getMessage().contains("ENOSPC"), e.getMessage());
      assertTrue(e.hint().contains("Free space"), e.hint());
      assertEquals(List.of(), Archive.unfinished(small.root()));
      assertEquals(List.of("a/1"), keys(archive));
      archive.delete("a/1");
      assertEquals(PutResult.CREATED, put(archive, "a/2", 3 << 20));
      assertArrayEquals(bytes(3 << 20), read(archive, "a/2"));
    }
  }

  @Test
  void callsAReadOnlyFileSystemPermanentAndGoesOnWhenItIsWritableAgain() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(4 << 20);
        Destination archive = Archive.open(mounted.root(), real)) {
      put(archive, "a/1", 10);
      mounted.remountReadOnly();
      for (String key : List.of("a/2", "b/1")) {
        DestinationException e =
            assertThrows(PermanentDestinationException.class, () -> put(archive, key, 10));
        assertEquals(Errno.EROFS, e.errno().orElseThrow());
        assertTrue(e.hint().contains("read-only"), e.hint());
      }
      assertThrows(PermanentDestinationException.class, () -> archive.delete("a/1"));
      assertArrayEquals(bytes(10), read(archive, "a/1"));
      mounted.remountWritable();
      assertEquals(PutResult.CREATED, put(archive, "a/2", 10));
    }
  }

  @Test
  void callsMissingPermissionPermanent() throws IOException {
    assumeFalse(TestFileSystems.isRoot(), "root may do everything");
    try (Destination archive = Archive.open(root, real)) {
      put(archive, "a/1", 10);
      Files.setPosixFilePermissions(
          root.resolve("a"), PosixFilePermissions.fromString("r-xr-xr-x"));
      DestinationException e =
          assertThrows(PermanentDestinationException.class, () -> put(archive, "a/2", 10));
      assertEquals(Errno.EACCES, e.errno().orElseThrow());
      Files.setPosixFilePermissions(
          root.resolve("a"), PosixFilePermissions.fromString("rwxr-xr-x"));
      assertEquals(PutResult.CREATED, put(archive, "a/2", 10));
    }
  }

  @Test
  void tellsAReaderToTakeNoWritePermission() throws IOException {
    AtomicBoolean refuses = new AtomicBoolean();
    FaultPlan plan =
        call ->
            refuses.get() && call.method().startsWith("open")
                ? new Fault.Fail(Errno.EACCES)
                : Fault.PROCEED;
    FaultyFileCalls faulty = FaultyFileCalls.wrap(real, plan);
    try (Destination archive = Archive.open(root, faulty.calls())) {
      put(archive, "a/1", 10);
      refuses.set(true);
      assertTrue(hint(() -> put(archive, "a/2", 10)).contains("write"));
      assertFalse(hint(() -> keys(archive)).contains("write"));
      assertFalse(hint(() -> read(archive, "a/1")).contains("write"));
      assertFalse(hint(() -> open(faulty, OpenIntent.READ)).contains("write"));
      assertTrue(hint(() -> open(faulty, OpenIntent.WRITE)).contains("write"));
    }
  }

  private void open(FaultyFileCalls faulty, OpenIntent intent) throws IOException {
    Archive.open(root, faulty.calls(), intent).close();
  }

  private static String hint(Executable call) {
    DestinationException e = assertThrows(DestinationException.class, call);
    assertEquals(Errno.EACCES, e.errno().orElseThrow());
    return e.hint();
  }

  @ParameterizedTest
  @EnumSource(names = {"ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENAMETOOLONG", "EFBIG"})
  void isPermanentUntilSomebodyActs(Errno errno) throws IOException {
    assertPermanence(errno, true);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "EIO",
        "EEXIST",
        "EINTR",
        "ETIMEDOUT",
        "EMFILE",
        "ENFILE",
        "ENOMEM",
        "EAGAIN",
        "ENOTCONN",
        "EREMOTEIO",
        "EBUSY",
        "ENXIO",
        "OTHER"
      })
  void isTransientWhenItMayPass(Errno errno) throws IOException {
    assertPermanence(errno, false);
  }

  private void assertPermanence(Errno errno, boolean permanent) throws IOException {
    for (String method : List.of("openBeneath", "pwrite", "fdatasync", "fsync")) {
      Path own = root.resolve(method);
      FaultyFileCalls faulty =
          FaultyFileCalls.wrap(real, FaultPlan.failOnce(method, errno).from(20));
      try (Destination archive = Archive.open(own, faulty.calls())) {
        DestinationException failure = failureOf(archive);
        assertEquals(permanent, failure.permanent(), method);
        assertEquals(errno, failure.errno().orElseThrow(), method);
        assertEquals("put", failure.operation());
        assertFalse(failure.hint().isBlank());
        assertEquals(List.of(), Archive.unfinished(own), method);
      }
    }
  }

  /** Puts until the plan's failure comes. */
  private static DestinationException failureOf(Destination archive) {
    return assertThrows(
        DestinationException.class,
        () -> {
          for (int i = 0; i < 100; i++) {
            put(archive, "d/" + i, 10);
          }
        });
  }

  @Test
  void failsToReadWithTheSameDistinction() throws IOException {
    AtomicBoolean failNext = new AtomicBoolean();
    FaultPlan plan =
        FaultPlan.when(
            call -> call.is("pread") && failNext.compareAndSet(true, false),
            new Fault.Fail(Errno.EIO));
    FaultyFileCalls faulty = FaultyFileCalls.wrap(real, plan);
    try (Destination archive = Archive.open(root, faulty.calls())) {
      put(archive, "a", 10);
      failNext.set(true);
      DestinationException e = assertThrows(DestinationException.class, () -> read(archive, "a"));
      assertFalse(e.permanent());
      assertEquals("read", e.operation());
      assertArrayEquals(bytes(10), read(archive, "a"));
    }
  }

  @Test
  void refusesARootThatIsAFile() throws IOException {
    Path file = Files.write(root.resolve("file"), bytes(1));
    for (Path path : List.of(file, file.resolve("below"))) {
      DestinationException e =
          assertThrows(PermanentDestinationException.class, () -> Archive.open(path, real));
      assertEquals("open", e.operation());
      assertEquals(Errno.ENOTDIR, e.errno().orElseThrow());
    }
  }
}
