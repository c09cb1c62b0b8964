package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that are scanned in several portions, with names that somebody else has chosen. */
final class LongDirectoryTest {
  /** So many that the directory is read in several portions. */
  private static final int FILES = 1_000;

  /** So many that there are two portions, and more files than may be undecided. */
  private static final int FEWER_FILES = 250;

  private static final int LONGEST_NAME = 255;

  private static final WatchOptions PORTIONS = WatchHarness.NOTIFIED_ONLY.withPortionNames(1);

  private static final WatchOptions POLLED_PORTIONS =
      PORTIONS.withNotification(NotificationMethod.POLLING).withPollMillis(20);

  private final long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path directory;

  private static PosixPath path(Path path) {
    return PosixPath.of(path);
  }

  private void create(PosixPath path) throws IOException {
    EnumSet<OpenFlag> create = EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE);
    calls.close(calls.open(NameCalls.AT_FDCWD, path, create, 0600));
  }

  /** Creates files with long names that begin alike, of any bytes that a name can have. */
  private Set<PosixPath> createHostile(Path in, int count) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Set<PosixPath> created = new TreeSet<>();
    while (created.size() < count) {
      byte[] name = new byte[LONGEST_NAME - random.nextInt(3)];
      for (int i = 0; i < name.length; i++) {
        int any = 1 + random.nextInt(255);
        name[i] = (byte) (i < name.length - 4 ? '\n' : any == '/' ? 0xff : any);
      }
      PosixPath path = path(in).resolve(PosixPath.of(name));
      create(path);
      created.add(path);
    }
    return created;
  }

  private static Path createFiles(Path in, int count) throws IOException {
    Files.createDirectories(in);
    for (int i = 0; i < count; i++) {
      Files.createFile(in.resolve("x".repeat(200) + i));
    }
    return in;
  }

  @Test
  void otherChangesAreReportedWhileItIsScanned() throws IOException {
    Path big = createFiles(directory.resolve("big"), FILES);
    Path small = Files.createDirectory(directory.resolve("small"));
    Files.createFile(small.resolve("old"));
    List<PosixPath> roots = List.of(path(big), path(small));
    try (DirectoryWatch watch = DirectoryWatch.open(calls, roots, PORTIONS, System::nanoTime)) {
      List<WatchChange> found = new ArrayList<>();
      WatchChange old = new WatchChange.Appeared(path(small.resolve("old")));
      while (!found.contains(old)) {
        found.addAll(watch.poll(0));
      }
      assertTrue(watch.isScanning(), "all was scanned before the other directory");
      Files.createFile(small.resolve("new"));
      WatchChange created = new WatchChange.Appeared(path(small.resolve("new")));
      while (!found.contains(created)) {
        found.addAll(watch.poll(0));
      }
      assertTrue(watch.isScanning(), "all was scanned before the event was read");
      while (watch.isScanning()) {
        found.addAll(watch.poll(0));
      }
      assertEquals(FILES + 2, found.stream().map(WatchChange::path).distinct().count());
      assertEquals(FILES + 2, watch.statistics().files());
    }
  }

  @Test
  void scanReturnsEverythingAtOnce() throws IOException {
    createFiles(directory.resolve("big"), FEWER_FILES);
    try (DirectoryWatch watch =
        DirectoryWatch.open(calls, List.of(path(directory)), PORTIONS, System::nanoTime)) {
      assertEquals(FEWER_FILES, watch.scan().size());
      assertEquals(List.of(), watch.scan());
    }
  }

  @Test
  void directoryThatMovesKeepsItsFiles() throws IOException {
    Path big = createFiles(directory.resolve("big"), FEWER_FILES);
    for (WatchOptions options : List.of(PORTIONS, POLLED_PORTIONS)) {
      try (WatchHarness watch = new WatchHarness(calls, options, directory)) {
        Path moved = Files.move(big, directory.resolve("moved"));
        watch.until(() -> watch.known.equals(DirectoryWatchPropertyTest.filesOf(directory)));
        big = Files.move(moved, directory.resolve("big"));
        watch.until(() -> watch.known.equals(DirectoryWatchPropertyTest.filesOf(directory)));
        assertEquals(FEWER_FILES, watch.watch().statistics().files());
      }
    }
  }

  @Test
  void directoryThatIsReplacedByAnotherWithTheSameNamesIsFollowed() throws IOException {
    Path big = createFiles(directory.resolve("root/big"), FEWER_FILES);
    Path other = createFiles(directory.resolve("other"), FEWER_FILES);
    for (WatchOptions options : List.of(PORTIONS, POLLED_PORTIONS)) {
      try (WatchHarness watch = new WatchHarness(calls, options, directory.resolve("root"))) {
        Files.delete(other.resolve("x".repeat(200) + "7"));
        Path before = Files.move(big, directory.resolve("before"));
        Files.move(other, big);
        watch.until(() -> watch.known.equals(DirectoryWatchPropertyTest.filesOf(big)));
        assertEquals(watch.known.size(), watch.watch().statistics().files());
        other = Files.move(before, other);
      }
    }
  }

  @Test
  void namesOfAnyBytesAreKnownOnExt4XfsAndTmpfs() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(32L << 20, 4096);
        MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096);
        MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 << 20)) {
      for (MountedFileSystem fileSystem : List.of(ext4, xfs, tmpfs)) {
        Path root = fileSystem.root();
        Set<PosixPath> created = createHostile(Files.createDirectory(root.resolve("d")), 400);
        try (WatchHarness watch = new WatchHarness(calls, PORTIONS, root.resolve("d"))) {
          assertEquals(created, watch.known, "repeat with -Dtailwater.seed=" + seed);
          PosixPath renamed = path(root.resolve("d/renamed"));
          PosixPath first = created.iterator().next();
          calls.rename(NameCalls.AT_FDCWD, first, NameCalls.AT_FDCWD, renamed, Set.of());
          watch.untilReported(new WatchChange.Renamed(first, renamed));
          created.remove(first);
          for (PosixPath path : created) {
            calls.unlink(NameCalls.AT_FDCWD, path);
          }
          watch.until(() -> watch.known.equals(Set.of(renamed)));
        }
      }
    }
  }
}
