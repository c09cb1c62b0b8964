package dev.tailwater.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.StoreWriteException;
import dev.tailwater.store.simulated.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Full and read-only file systems that the kernel has made. Needs root to mount them. */
class RealFileSystemTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @Test
  void goesOnWhenAFullExt4HasSpaceAgain() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(16 * 1024 * 1024, 1024)) {
      fillAndGoOn(ext4);
    }
  }

  @Test
  void goesOnWhenAFullTmpfsHasSpaceAgain() throws IOException {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 * 1024 * 1024)) {
      fillAndGoOn(tmpfs);
    }
  }

  @Test
  void saysThatTheFileSystemIsReadOnly() throws IOException {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 * 1024 * 1024)) {
      PosixPath directory = tmpfs.path().resolve("store");
      try (KeyValueStore store = open(directory)) {
        store.put(Texts.bytes("a"), Texts.bytes("1"));
      }
      tmpfs.remountReadOnly();
      StoreUnavailableException refused =
          assertThrows(StoreUnavailableException.class, () -> open(directory));
      assertEquals(Errno.EROFS, errnoOf(refused));
      assertTrue(refused.hint().contains("read-only"), refused.hint());
      assertEquals(Map.of("a", "1"), Texts.contents(new StoreTool(calls, directory)));
      tmpfs.remountWritable();
    }
  }

  private void fillAndGoOn(MountedFileSystem fileSystem) throws IOException {
    PosixPath directory = fileSystem.path().resolve("store");
    Path ballast = fileSystem.root().resolve("ballast");
    try (KeyValueStore store = open(directory)) {
      store.put(Texts.bytes("a"), Texts.bytes("1"));
      fill(ballast);
      StoreWriteException refused =
          assertThrows(
              StoreWriteException.class, () -> store.put(Texts.bytes("b"), new byte[1024 * 1024]));
      assertEquals(Errno.ENOSPC, errnoOf(refused));
      Files.delete(ballast);
      store.put(Texts.bytes("c"), Texts.bytes("3"));
    }
    StoreTool tool = new StoreTool(calls, directory);
    assertTrue(tool.verify().isWhole());
    assertEquals(Map.of("a", "1", "c", "3"), Texts.contents(tool));
  }

  private static void fill(Path ballast) throws IOException {
    try (var out = Files.newOutputStream(ballast)) {
      byte[] block = new byte[64 * 1024];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertTrue(full.toString().contains("No space left"), full.toString());
    }
  }

  private static Errno errnoOf(StoreException failed) {
    return assertInstanceOf(ErrnoException.class, failed.getCause()).errno();
  }

  private KeyValueStore open(PosixPath directory) throws IOException {
    return TransactionLogStore.open(calls, directory, StoreOptions.defaults());
  }
}
