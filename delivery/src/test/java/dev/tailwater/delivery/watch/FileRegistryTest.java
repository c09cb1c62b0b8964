package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files that have one inode number on two file systems, which count from the same number. */
class FileRegistryTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private final FileRegistry registry = new FileRegistry(List.of());
  private final List<WatchedFile> made = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (WatchedFile file : made) {
      file.giveUpDescriptor();
    }
  }

  private WatchedFile add(Path path) throws Exception {
    PosixPath name = PosixPath.of(path);
    TailOpener.Opened opened = TailOpener.following(CALLS).open(name).orElseThrow();
    WatchedFile file =
        new WatchedFile(
            opened.descriptor(), name, opened.identity(), new ArchivedNames(List.of()), _ -> {});
    made.add(file);
    registry.add(file);
    return file;
  }

  @Test
  void filesWithOneNumberOnTwoFileSystemsAreTwo() throws Exception {
    try (MountedFileSystem one = TestFileSystems.tmpfs(1 << 20);
        MountedFileSystem two = TestFileSystems.tmpfs(1 << 20)) {
      WatchedFile first = add(Files.writeString(one.root().resolve("a.log"), "of the first\n"));
      WatchedFile second = add(Files.writeString(two.root().resolve("b.log"), "of the second\n"));
      long inode = first.identity().inode();
      assertEquals(inode, second.identity().inode());
      assertNotEquals(first.identity(), second.identity());
      assertEquals(Optional.of(first), registry.find(first.identity()));
      assertEquals(Optional.of(second), registry.find(second.identity()));

      registry.remove(second);
      assertTrue(registry.hasOpen(inode), "the first one is open");
      registry.add(second);
      registry.remove(first);
      assertEquals(Optional.empty(), registry.find(first.identity()));
      assertTrue(registry.hasOpen(inode), "the second one is open");
      second.giveUpDescriptor();
      assertFalse(registry.hasOpen(inode), "the second one is closed");
      registry.add(first);
      assertTrue(registry.hasOpen(inode), "the first one is open again");
      registry.leave(first);
      assertFalse(registry.hasOpen(inode), "only the second one is there");
      registry.remove(second);
      assertFalse(registry.hasOpen(inode), "none is there");
      closeAll(); // Before the file systems are unmounted.
    }
  }

  @Test
  void aFileThatTakesThePlaceOfAnotherIsTheOnlyOneWithItsNumber() throws Exception {
    try (MountedFileSystem one = TestFileSystems.tmpfs(1 << 20)) {
      Path path = Files.writeString(one.root().resolve("a.log"), "of both\n");
      WatchedFile before = add(path);
      WatchedFile after = add(path);
      assertEquals(before.identity(), after.identity());
      after.giveUpDescriptor();
      assertFalse(registry.hasOpen(after.identity().inode()), "the one before does not count");
      assertEquals(List.of(after), registry.all());
      closeAll();
    }
  }
}
