package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.StatFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftOutDirectoriesTest {
  private final FileCalls calls = LinuxFileCalls.create();
  private final Set<Long> inodes = ConcurrentHashMap.newKeySet();
  private final WatchOptions options =
      WatchHarness.NOTIFIED_ONLY.withLeftOut(status -> inodes.contains(status.inode()));
  private Path root;
  private Path own;

  @BeforeEach
  void make(@TempDir Path directory) throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
    own = Files.createDirectories(root.resolve("some/own"));
    Files.createDirectory(own.resolve("below"));
    Files.writeString(own.resolve("below/x"), "x");
    Files.writeString(root.resolve("some/a"), "a");
  }

  private void leaveOut(Path directory) throws IOException {
    FileStatus status =
        calls.statx(FileCalls.AT_FDCWD, PosixPath.of(directory), EnumSet.noneOf(StatFlag.class));
    inodes.add(status.inode());
  }

  private Set<PosixPath> paths(String... names) {
    Set<PosixPath> paths = new HashSet<>();
    for (String name : names) {
      paths.add(PosixPath.of(root.resolve(name)));
    }
    return paths;
  }

  @Test
  void directoryIsLeftOutAtEachPathThatItGets() throws IOException {
    leaveOut(own);
    try (WatchHarness watch = new WatchHarness(calls, options, root)) {
      assertEquals(paths("some/a"), watch.known);
      Files.move(own, root.resolve("moved"));
      Files.writeString(root.resolve("moved/y"), "y");
      Files.writeString(root.resolve("b"), "b");
      watch.until(() -> watch.known.equals(paths("some/a", "b")));
      watch.watch().scan();
      assertEquals(paths("some/a", "b"), watch.known);
    }
  }

  @Test
  void knownDirectoryThatIsLeftOutFromNowOnIsGoneAtTheNextScan() throws IOException {
    try (WatchHarness watch = new WatchHarness(calls, options, root)) {
      assertEquals(paths("some/a", "some/own/below/x"), watch.known);
      leaveOut(own);
      watch.watch().requestScan();
      watch.until(() -> watch.known.equals(paths("some/a")));
      inodes.clear();
      watch.watch().requestScan();
      watch.until(() -> watch.known.equals(paths("some/a", "some/own/below/x")));
    }
  }

  @Test
  void rootThatIsLeftOutOrLiesInOneIsAbsent() throws IOException {
    leaveOut(own);
    Path below = own.resolve("below");
    try (WatchHarness watch =
        new WatchHarness(calls, options.withPollMillis(50), own, below, below.resolve("x"))) {
      assertEquals(Set.of(), watch.known);
      inodes.clear();
      watch.until(() -> watch.known.equals(paths("some/own/below/x")));
    }
  }
}
