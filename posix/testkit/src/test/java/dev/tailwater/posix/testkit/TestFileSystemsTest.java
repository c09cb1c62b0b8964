package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.FileSystemStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that need root for mounting; skipped otherwise. */
class TestFileSystemsTest {
  private static final long MIB = 1024 * 1024;

  private final FileCalls calls = LinuxFileCalls.create();

  private FileSystemStatus status(MountedFileSystem mounted) throws IOException {
    int fd = calls.open(NameCalls.AT_FDCWD, mounted.path(), Set.of(), 0);
    try {
      return calls.statfs(fd);
    } finally {
      calls.close(fd);
    }
  }

  @Test
  void tmpfsHasTheSizeAskedFor() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(2 * MIB)) {
      FileSystemStatus status = status(mounted);
      assertEquals(0x01021994, status.type());
      assertEquals(2 * MIB, status.totalBytes());
    }
  }

  @Test
  void tmpfsHasTheInodesAskedFor() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(2 * MIB, 3)) {
      Files.createFile(mounted.root().resolve("first"));
      Files.createFile(mounted.root().resolve("second"));
      Path third = mounted.root().resolve("third");
      assertThrows(IOException.class, () -> Files.createFile(third));
    }
  }

  @Test
  void ext4HasTheBlockSizeAskedFor() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 1024)) {
      FileSystemStatus status = status(mounted);
      assertEquals(0xEF53, status.type());
      assertEquals(1024, status.blockSizeBytes());
    }
  }

  @Test
  void xfsHasTheBlockSizeAskedFor() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      FileSystemStatus status = status(mounted);
      assertEquals(0x58465342, status.type());
      assertEquals(4096, status.blockSizeBytes());
    }
  }

  @Test
  void closeLeavesNothingBehind() throws IOException {
    Path root;
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      root = mounted.root();
      assertTrue(Files.exists(root));
    }
    assertFalse(Files.exists(root));
  }

  @Test
  void closeReportsAFileThatIsStillOpen() throws IOException {
    MountedFileSystem mounted = TestFileSystems.tmpfs(MIB);
    Path file = Files.createFile(mounted.root().resolve("file"));
    try (InputStream open = Files.newInputStream(file)) {
      assertThrows(IOException.class, mounted::close);
      assertEquals(-1, open.read());
    }
    assertFalse(Files.exists(mounted.root()));
  }
}
