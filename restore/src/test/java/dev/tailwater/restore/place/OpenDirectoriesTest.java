package dev.tailwater.restore.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDirectoriesTest {
  private static final Set<OpenFlag> NEW_FILE =
      EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE);

  @TempDir private Path scratch;

  private FaultyFileCalls counting =
      FaultyFileCalls.wrap(LinuxFileCalls.create(), FaultPlan.none());

  private TargetTree tree() throws ErrnoException {
    return TargetTree.create(counting.calls(), PosixPath.of(scratch.resolve("target")));
  }

  private static List<PosixPath> names(String... names) {
    List<PosixPath> paths = new ArrayList<>();
    for (String name : names) {
      paths.add(PosixPath.of(name));
    }
    return paths;
  }

  @Test
  void whatWasUsedLastStaysOpen() throws Exception {
    try (TargetTree tree = tree();
        OpenDirectories directories = new OpenDirectories(tree, 2)) {
      Descriptor first = use(directories, "a", "b");
      assertSame(first, use(directories, "a", "b"));
      use(directories, "c");
      assertSame(first, use(directories, "a", "b"));
      use(directories, "d"); // Takes the place of c.
      assertSame(first, use(directories, "a", "b"));
      use(directories, "c");
      use(directories, "d");
      assertNotSame(first, use(directories, "a", "b"));
    }
    assertEquals(List.of(), counting.openDescriptors());
  }

  private static Descriptor use(OpenDirectories directories, String... names) throws Exception {
    try (OpenDirectories.Lease lease = directories.open(names(names))) {
      assertTrue(lease.directory().fd() > 0);
      return lease.directory();
    }
  }

  @Test
  void noMoreStayOpenThanItSays() throws Exception {
    try (TargetTree tree = tree();
        OpenDirectories directories = new OpenDirectories(tree, 3)) {
      for (int i = 0; i < 20; i++) {
        use(directories, "d" + i);
        assertTrue(counting.openDescriptors().size() <= 4, counting.openDescriptors().toString());
      }
    }
    assertEquals(List.of(), counting.openDescriptors());
  }

  @Test
  void whatIsInUseIsOpenUntilItsLastUserCloses() throws Exception {
    try (TargetTree tree = tree()) {
      OpenDirectories directories = new OpenDirectories(tree, 1);
      OpenDirectories.Lease one = directories.open(names("a"));
      OpenDirectories.Lease other = directories.open(names("a"));
      use(directories, "b");
      assertTrue(one.directory().fd() > 0);
      directories.close();
      one.close();
      one.close();
      assertTrue(other.directory().fd() > 0);
      Descriptor directory = other.directory();
      other.close();
      assertThrows(IllegalStateException.class, directory::fd);
    }
    assertEquals(List.of(), counting.openDescriptors());
  }

  @Test
  void knowsWhichDirectoriesItHasMade() throws Exception {
    Files.createDirectories(scratch.resolve("target/old"));
    try (TargetTree tree = tree();
        OpenDirectories directories = new OpenDirectories(tree, 2)) {
      assertFalse(isNew(directories, "old"));
      assertTrue(isNew(directories, "old", "new"));
      assertTrue(isNew(directories, "new"));
      assertTrue(isNew(directories, "old", "new"));
    }
  }

  private static boolean isNew(OpenDirectories directories, String... names) throws Exception {
    try (OpenDirectories.Lease lease = directories.open(names(names))) {
      return lease.isNew();
    }
  }

  @Test
  void nothingIsPlacedThroughASymbolicLinkThatReplacesAnOpenDirectory() throws Exception {
    Path elsewhere = Files.createDirectories(scratch.resolve("elsewhere"));
    Path place = scratch.resolve("target/a");
    try (TargetTree tree = tree();
        OpenDirectories directories = new OpenDirectories(tree, 1)) {
      use(directories, "a");
      Files.move(place, scratch.resolve("target/moved"));
      Files.createSymbolicLink(place, elsewhere);
      try (OpenDirectories.Lease lease = directories.open(names("a"))) {
        TargetTree.open(
                counting.calls(), lease.directory().fd(), PosixPath.of("file"), NEW_FILE, 0600)
            .close();
      }
      use(directories, "b");
      ErrnoException refused =
          assertThrows(ErrnoException.class, () -> directories.open(names("a")));
      assertEquals(Errno.ENOTDIR, refused.errno());
    }
    assertTrue(Files.exists(scratch.resolve("target/moved/file")));
    try (var found = Files.list(elsewhere)) {
      assertEquals(0, found.count());
    }
    assertEquals(List.of(), counting.openDescriptors());
  }

  @Test
  void aDirectoryThatCannotBeLookedAtIsClosed() throws Exception {
    counting =
        FaultyFileCalls.wrap(
            LinuxFileCalls.create(),
            FaultPlan.once(call -> call.method().equals("fstat"), new Fault.Fail(Errno.EIO)));
    try (TargetTree tree = tree();
        OpenDirectories directories = new OpenDirectories(tree, 1)) {
      assertThrows(ErrnoException.class, () -> directories.open(names("a")));
      use(directories, "a");
    }
    assertEquals(List.of(), counting.openDescriptors());
  }
}
