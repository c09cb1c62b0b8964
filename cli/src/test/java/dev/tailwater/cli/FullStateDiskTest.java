package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are started where their state has no room left. */
class FullStateDiskTest {
  /** More than a page of the log, which has room in its last one for some of them. */
  private static final int STARTS = 60;

  private static void fill(Path file) {
    assertThrows(
        IOException.class,
        () -> {
          try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
              out.write(new byte[1024]);
            }
          }
        });
  }

  @Test
  void aStartThatCannotBeNotedSaysThatNothingIsDeliveredAndWhatToDo(@TempDir Path base)
      throws Exception {
    Path directory = base.toRealPath();
    Files.createDirectory(directory.resolve("logs"));
    try (MountedFileSystem disk = TestFileSystems.tmpfs(1 << 20)) {
      Files.setPosixFilePermissions(disk.root(), PosixFilePermissions.fromString("rwx------"));
      String state = disk.root().resolve("state").toString();
      String[] ship = {"ship", "--once", "--state", state, "logs", "archive"};
      assertEquals(0, Trial.run(directory, ship).exitCode());
      fill(disk.root().resolve("fill"));
      Trial start = Trial.run(directory, ship);
      for (int i = 1; i < STARTS && start.exitCode() != 1; i++) {
        start = Trial.run(directory, ship);
      }
      assertEquals(1, start.exitCode(), start.err());
      assertTrue(
          start.err().contains("the agent cannot start, and delivers nothing: nothing was written"),
          start.err());
      assertTrue(start.err().contains("pwrite: ENOSPC"), start.err());
      assertTrue(
          start.err().contains("make room there (df " + state + ", df -i " + state + ")"),
          start.err());
      assertFalse(start.err().contains("PATH"), start.err());
      Files.delete(disk.root().resolve("fill"));
      assertEquals(0, Trial.run(directory, ship).exitCode());
    }
  }
}
