package dev.tailwater.io.watch;

import static dev.tailwater.io.watch.WatchHarness.NOTIFIED_ONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.NumberedCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * File systems that show several others as one, such as bindfs and 9p, may pass on the inode
 * numbers of each: then several directories have one number.
 */
final class SharedDirectoryNumbersTest {
  private static final long NUMBER = 2;

  private final Set<Long> real = new HashSet<>();
  private Path root;
  private Path one;
  private Path other;

  @BeforeEach
  void makeDirectories(@TempDir Path directory) throws IOException {
    root = directory.toRealPath();
    one = make("one");
    other = make("other");
  }

  private Path make(String name) throws IOException {
    Path directory = Files.createDirectory(root.resolve(name));
    real.add((Long) Files.getAttribute(directory, "unix:ino"));
    Files.writeString(directory.resolve("log"), name);
    return directory;
  }

  private FileCalls calls() {
    return NumberedCalls.of(
        LinuxFileCalls.create(),
        status -> real.contains(status.inode()) ? OptionalLong.of(NUMBER) : OptionalLong.empty());
  }

  private static boolean isLeftOut(WatchHarness watch, Path path) {
    return watch.changes.stream()
        .anyMatch(
            change ->
                change instanceof WatchChange.Unobservable trouble
                    && trouble.path().equals(PosixPath.of(path))
                    && trouble.why().errno() == Errno.EEXIST);
  }

  @Test
  void aDirectoryThatHasTheNumberOfAnotherIsReported() throws IOException {
    try (WatchHarness watch = new WatchHarness(calls(), NOTIFIED_ONLY, root)) {
      assertEquals(1, watch.known.size(), watch.known.toString());
      assertTrue(isLeftOut(watch, one) || isLeftOut(watch, other), watch.changes.toString());
    }
  }

  @Test
  void aRootThatHasTheNumberOfAnotherIsReportedUntilThatIsGone() throws IOException {
    WatchOptions scanning = NOTIFIED_ONLY.withReconcileMillis(20);
    try (WatchHarness watch = new WatchHarness(calls(), scanning, one, other)) {
      assertEquals(Set.of(PosixPath.of(one.resolve("log"))), watch.known);
      assertTrue(isLeftOut(watch, other), watch.changes.toString());
      Files.delete(one.resolve("log"));
      Files.delete(one);
      watch.until(() -> watch.known.equals(Set.of(PosixPath.of(other.resolve("log")))));
      watch.untilReported(new WatchChange.Observable(PosixPath.of(other)));
    }
  }

  @Test
  void aFileThatIsARootInADirectoryOfTheSameNumberIsReported() throws IOException {
    Path log = other.resolve("log");
    try (WatchHarness watch = new WatchHarness(calls(), NOTIFIED_ONLY, one, log)) {
      assertEquals(Set.of(PosixPath.of(one.resolve("log"))), watch.known);
      assertTrue(isLeftOut(watch, log), watch.changes.toString());
    }
  }
}
