package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which links in the path of a source are followed; with openat2 and, as on old kernels, without.
 */
final class SourcePathsTest {
  private static final int STRANGER = 4242;

  private final FileCalls real = LinuxFileCalls.create();

  @TempDir Path base;
  private Path data;

  @BeforeEach
  void makeData() throws IOException {
    data = Files.createDirectories(base.resolve("data/logs"));
    Files.writeString(data.resolve("x"), "x");
  }

  private List<SourcePaths> withAndWithoutOpenat2() {
    FileCalls old =
        FaultyFileCalls.wrap(
                real, FaultPlan.when(call -> call.is("openBeneath"), new Fault.Fail(Errno.ENOSYS)))
            .calls();
    return List.of(new SourcePaths(real), new SourcePaths(old));
  }

  private static PosixPath path(Path path) {
    return PosixPath.of(path);
  }

  private long inodeAt(SourcePaths paths, Path root) throws IOException {
    try (SourcePaths.Place place = paths.find(path(root))) {
      return place.status().inode();
    }
  }

  private long inodeOf(Path file) throws IOException {
    return real.statx(FileCalls.AT_FDCWD, path(file), Set.of()).inode();
  }

  private void assertRefused(SourcePaths paths, Path root, String reason) {
    ErrnoException e = assertThrows(ErrnoException.class, () -> inodeAt(paths, root));
    assertEquals(Errno.ELOOP, e.errno());
    assertTrue(e.toString().contains(reason), e.toString());
    ErrnoException below =
        assertThrows(
            ErrnoException.class,
            () -> paths.openDirectory(path(root), path(root), EnumSet.of(OpenFlag.PATH)).close());
    assertEquals(Errno.ELOOP, below.errno());
  }

  @Test
  void directoriesAndFilesWithoutLinksAreFound() throws IOException {
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      assertEquals(inodeOf(data), inodeAt(paths, data));
      assertEquals(inodeOf(data.resolve("x")), inodeAt(paths, data.resolve("x")));
      assertEquals(inodeOf(Path.of("/")), inodeAt(paths, Path.of("/")));
      ErrnoException missing =
          assertThrows(ErrnoException.class, () -> inodeAt(paths, base.resolve("no/no")));
      assertEquals(Errno.ENOENT, missing.errno());
      assertTrue(missing.toString().contains(base + "/no/no"), missing.toString());
    }
  }

  @Test
  void ownLinksInOwnDirectoriesAreFollowedWhereverTheyAreInThePath() throws IOException {
    Files.createSymbolicLink(base.resolve("absolute"), base.resolve("data"));
    Files.createSymbolicLink(base.resolve("relative"), Path.of("./data/../data//logs"));
    Files.createSymbolicLink(base.resolve("file"), Path.of("relative/x"));
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      assertEquals(inodeOf(data), inodeAt(paths, base.resolve("absolute/logs")));
      assertEquals(inodeOf(data), inodeAt(paths, base.resolve("relative")));
      assertEquals(inodeOf(data.resolve("x")), inodeAt(paths, base.resolve("file")));
    }
  }

  @Test
  void linksOfOthersAreNotFollowed() throws IOException {
    assumeTrue(real.effectiveUserId() == 0, "only root can give files away");
    Path link = Files.createSymbolicLink(base.resolve("link"), data);
    Files.setAttribute(link, "unix:uid", STRANGER, LinkOption.NOFOLLOW_LINKS);
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      assertRefused(paths, link, "symbolic link " + link + " belongs to user " + STRANGER);
    }
  }

  @Test
  void linksInDirectoriesThatOthersCanWriteAreNotFollowed() throws IOException {
    Path shared = Files.createDirectory(base.resolve("shared"));
    Path link = Files.createSymbolicLink(shared.resolve("link"), data);
    for (String permissions : List.of("rwxrwx---", "rwx----w-")) {
      Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(permissions));
      for (SourcePaths paths : withAndWithoutOpenat2()) {
        assertRefused(paths, link, "can be replaced by other users");
      }
    }
  }

  @Test
  void linksBelowDirectoriesOfOthersAreNotFollowed() throws IOException {
    assumeTrue(real.effectiveUserId() == 0, "only root can give directories away");
    Path home = Files.createDirectory(base.resolve("home"));
    Path own = Files.createDirectory(home.resolve("own"));
    Path link = Files.createSymbolicLink(own.resolve("link"), data);
    Files.setAttribute(home, "unix:uid", STRANGER);
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      assertRefused(paths, link, "can be replaced by other users");
    }
  }

  @Test
  void aLinkThatWasThereMayLeadElsewhereLaterAndNoOther() throws IOException {
    Path next = Files.createDirectory(base.resolve("next"));
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      Path link = base.resolve("current");
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, data);
      assertEquals(inodeOf(data), inodeAt(paths, link));
      assertEquals(inodeOf(next), inodeAt(paths, next));
      Files.delete(link);
      Files.createSymbolicLink(link, next);
      assertEquals(inodeOf(next), inodeAt(paths, link));
      Files.delete(next);
      Files.createSymbolicLink(next, data);
      assertRefused(paths, next, "symbolic link " + next + " was put there");
      assertRefused(paths, link, "symbolic link " + next + " was put there");
      Files.delete(next);
      Files.createDirectory(next);
      assertEquals(inodeOf(next), inodeAt(paths, next));
    }
  }

  @Test
  void noLinkIsFollowedBelowARoot() throws IOException {
    Path root = Files.createSymbolicLink(base.resolve("root"), base.resolve("data"));
    Files.createDirectories(base.resolve("data/a/b"));
    Files.createSymbolicLink(base.resolve("data/a/link"), data);
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      try (Descriptor found =
          paths.openDirectory(path(root), path(root.resolve("a/b")), EnumSet.of(OpenFlag.PATH))) {
        assertEquals(inodeOf(base.resolve("data/a/b")), real.fstat(found.fd()).inode());
      }
      ErrnoException e =
          assertThrows(
              ErrnoException.class,
              () ->
                  paths.openDirectory(
                      path(root), path(root.resolve("a/link")), EnumSet.of(OpenFlag.PATH)));
      assertEquals(Errno.ELOOP, e.errno());
    }
  }

  @Test
  void linksThatLeadInACircleAreRefused() throws IOException {
    Path link = Files.createSymbolicLink(base.resolve("loop"), Path.of("loop"));
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      assertRefused(paths, link, "ELOOP");
    }
  }

  @Test
  void everyDescriptorIsClosed() throws IOException {
    Path link = Files.createSymbolicLink(base.resolve("link"), base.resolve("data"));
    Path shared = Files.createDirectory(base.resolve("shared"));
    Files.createSymbolicLink(shared.resolve("link"), data);
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    for (SourcePaths paths : withAndWithoutOpenat2()) {
      long before = openDescriptors();
      for (int i = 0; i < 20; i++) {
        inodeAt(paths, link.resolve("logs/x"));
        paths
            .openDirectory(path(link), path(link.resolve("logs")), EnumSet.of(OpenFlag.PATH))
            .close();
        assertThrows(ErrnoException.class, () -> inodeAt(paths, shared.resolve("link")));
        assertThrows(ErrnoException.class, () -> inodeAt(paths, data.resolve("x/y")));
      }
      assertTrue(openDescriptors() < before + 20, before + " before, now " + openDescriptors());
    }
  }

  private static long openDescriptors() throws IOException {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }
}
