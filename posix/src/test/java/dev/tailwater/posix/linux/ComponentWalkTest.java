package dev.tailwater.posix.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.RefusedSystemCall;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk opens what openat2 opens, and refuses what it refuses, with the same errors. */
class ComponentWalkTest {
  private static final Set<ResolveFlag> INSIDE =
      EnumSet.of(ResolveFlag.BENEATH, ResolveFlag.NO_SYMLINKS, ResolveFlag.NO_MAGIC_LINKS);
  private static final Set<OpenFlag> READ = Set.of();
  private static final Set<OpenFlag> CREATE =
      EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE, OpenFlag.EXCLUSIVE);
  private static final Set<OpenFlag> DIRECTORY = EnumSet.of(OpenFlag.DIRECTORY);

  private static final int OPENAT2 = 437;

  private final FileCalls calls = LinuxFileCalls.create();
  private final ComponentWalk walk = new ComponentWalk(calls);
  @TempDir private Path directory;
  private int rootFd;

  @BeforeEach
  void makeTree() throws IOException {
    Files.createDirectories(directory.resolve("root/a/b"));
    Files.writeString(directory.resolve("root/a/b/file"), "x");
    Files.writeString(directory.resolve("outside"), "x");
    Files.createSymbolicLink(directory.resolve("root/link"), Path.of("a"));
    Files.createSymbolicLink(directory.resolve("root/a/out"), directory);
    Files.createSymbolicLink(directory.resolve("root/a/to-file"), Path.of("b/file"));
    rootFd =
        calls.open(
            FileCalls.AT_FDCWD,
            PosixPath.of(directory.resolve("root")),
            EnumSet.of(OpenFlag.DIRECTORY),
            0);
  }

  @AfterEach
  void closeRoot() throws IOException {
    calls.close(rootFd);
  }

  @Test
  void endsAsTheSystemCallDoes() throws IOException {
    for (String path :
        new String[] {
          "a/b/file",
          "a/b",
          "a//b/./file",
          "a/b/",
          ".",
          "a/b/file/",
          "a/b/file/x",
          "a/missing/x",
          "link/b/file",
          "a/out/outside",
          "a/to-file",
          "link",
          "/etc/passwd",
          "",
        }) {
      assertEquals(bySystemCall(path, READ), byWalk(path, READ), path);
      assertEquals(bySystemCall(path, DIRECTORY), byWalk(path, DIRECTORY), path + " as directory");
    }
  }

  @Test
  void leadsNowhereByTwoDots() {
    assertEquals("EXDEV", byWalk("../outside", READ));
    assertEquals("EXDEV", byWalk("a/../../outside", READ));
  }

  @Test
  void createsWithTheMode() throws IOException {
    calls.close(walk.open(rootFd, PosixPath.of("a/b/new"), CREATE, 0600));
    assertTrue(Files.exists(directory.resolve("root/a/b/new")));
    assertEquals("EEXIST", byWalk("a/b/new", CREATE));
    assertEquals("ELOOP", byWalk("link/new", CREATE));
    assertFalse(Files.exists(directory.resolve("root/a/new")));
  }

  @Test
  void opensByAWalkWhereASandboxRefusesTheSystemCall() throws Exception {
    for (Errno refusal : List.of(Errno.ENOSYS, Errno.EPERM)) {
      FutureTask<List<String>> opened =
          new FutureTask<>(
              () -> {
                RefusedSystemCall.inThisThread(OPENAT2, refusal.number());
                return List.of(
                    bySystemCall("a/b/file", READ),
                    bySystemCall("a/out/outside", READ),
                    bySystemCall("../outside", READ));
              });
      Thread.ofPlatform().start(opened);
      assertEquals(List.of("opened", "ELOOP", "EXDEV"), opened.get(), refusal.name());
    }
  }

  @Test
  void leavesNoDescriptorOpen() throws IOException {
    long before = openDescriptors();
    byWalk("a/b/file", READ);
    byWalk("a/b/missing", READ);
    byWalk("a/out/outside", READ);
    byWalk("a/b/file/x", READ);
    assertEquals(before, openDescriptors());
  }

  @Test
  void replacesOnlyWhatItRefusesToo() {
    assertTrue(ComponentWalk.canReplace(READ, INSIDE));
    assertFalse(ComponentWalk.canReplace(READ, EnumSet.of(ResolveFlag.BENEATH)));
    assertFalse(ComponentWalk.canReplace(READ, EnumSet.of(ResolveFlag.NO_SYMLINKS)));
    assertFalse(ComponentWalk.canReplace(READ, EnumSet.allOf(ResolveFlag.class)));
    assertFalse(ComponentWalk.canReplace(EnumSet.of(OpenFlag.PATH), INSIDE));
    assertTrue(ComponentWalk.canReplace(EnumSet.of(OpenFlag.PATH, OpenFlag.DIRECTORY), INSIDE));
  }

  private String bySystemCall(String path, Set<OpenFlag> flags) {
    try {
      calls.close(calls.openBeneath(rootFd, PosixPath.of(path), flags, 0600, INSIDE));
      return "opened";
    } catch (ErrnoException e) {
      return e.errno().name();
    }
  }

  private String byWalk(String path, Set<OpenFlag> flags) {
    try {
      calls.close(walk.open(rootFd, PosixPath.of(path), flags, 0600));
      return "opened";
    } catch (ErrnoException e) {
      return e.errno().name();
    }
  }

  private static long openDescriptors() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    }
  }
}
