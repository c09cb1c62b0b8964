package dev.tailwater.delivery.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnDirectoriesTest {
  private final FileCalls calls = LinuxFileCalls.create();
  private final FaultyFileCalls counting = FaultyFileCalls.wrap(calls, FaultPlan.none());
  private final AtomicLong nanos = new AtomicLong();
  private Path parent;
  private Path state;
  private Path archive;
  private OwnDirectories own;

  @BeforeEach
  void make(@TempDir Path directory) throws IOException {
    parent = directory;
    state = Files.createDirectory(directory.resolve("state"));
    archive = directory.resolve("archive");
    own =
        new OwnDirectories(
            counting.calls(),
            List.of(PosixPath.of(state), PosixPath.of(archive)),
            () -> nanos.get());
  }

  private FileStatus status(Path path) throws IOException {
    return calls.statx(FileCalls.AT_FDCWD, PosixPath.of(path), EnumSet.noneOf(StatFlag.class));
  }

  @Test
  void directoryIsKnownByItsInodeAndOthersAreNot() throws IOException {
    assertTrue(own.include(status(state)));
    assertFalse(own.include(status(parent)));
    Files.move(state, state.resolveSibling("moved"));
    assertTrue(own.include(status(state.resolveSibling("moved"))));
  }

  @Test
  void directoryThatIsMadeLaterIsKnownAtOnce() throws IOException {
    assertFalse(own.include(status(parent)));
    Files.createDirectory(archive);
    assertTrue(own.include(status(archive)));
  }

  @Test
  void directoryThatIsMadeAnewIsKnownTenSecondsLater() throws IOException {
    Files.createDirectory(archive);
    assertTrue(own.include(status(archive)));
    Files.move(archive, archive.resolveSibling("former"));
    Files.createDirectory(archive);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
    assertTrue(own.include(status(archive)));
    assertFalse(own.include(status(archive.resolveSibling("former"))));
  }

  @Test
  void comparisonsMakeNoCalls() throws IOException {
    Files.createDirectory(archive);
    FileStatus other = status(parent);
    for (int i = 0; i < 1_000; i++) {
      assertFalse(own.include(other));
    }
    assertEquals(List.of("statx", "statx"), counting.log());
  }

  @Test
  void oldDirectoriesAreComparedWithoutCallsWhileOneIsMissing() throws IOException {
    FileStatus old = status(Path.of("/proc/self/root/usr"));
    for (int i = 0; i < 1_000; i++) {
      assertFalse(own.include(old));
    }
    assertEquals(List.of("statx", "statx"), counting.log());
  }
}
