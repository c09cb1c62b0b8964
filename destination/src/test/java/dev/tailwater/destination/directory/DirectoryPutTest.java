package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.RenameFlag;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which calls a put makes, and what it does where the file system lacks one. */
class DirectoryPutTest {
  @TempDir Path root;

  private static FaultyFileCalls calls(FaultPlan plan) {
    return FaultyFileCalls.wrap(LinuxFileCalls.create(), plan);
  }

  private static boolean createsOnly(Call call) {
    return call.is("rename")
        && call.arguments().get(4) instanceof Set<?> flags
        && flags.contains(RenameFlag.NO_REPLACE);
  }

  private interface Action {
    void run() throws IOException;
  }

  /** The calls that an action makes. */
  private static List<String> made(FaultyFileCalls calls, Action action) throws IOException {
    int before = calls.log().size();
    action.run();
    return calls.log().subList(before, calls.log().size());
  }

  @Test
  void makesThirteenCallsAndOneForEachBuffer() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.none());
    try (Destination archive = Archive.open(root, calls.calls())) {
      put(archive, "a/b/first", 1);
      assertEquals(
          List.of(
              "open",
              "fstat",
              "openBeneath",
              "fstat",
              "openBeneath",
              "openBeneath",
              "pwrite",
              "fdatasync",
              "close",
              "rename",
              "fsync",
              "close",
              "close",
              "close"),
          made(calls, () -> put(archive, "a/b/second", 1000)));
      assertEquals(13 + 4, made(calls, () -> put(archive, "a/b/third", 1 << 20)).size());
      assertEquals(13 + 5, made(calls, () -> put(archive, "a/b/fourth", (1 << 20) + 1)).size());
    }
    assertEquals(List.of(), calls.openDescriptors());
  }

  @Test
  void syncsEachNewDirectoryOnTheWayOnce() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.none());
    try (Destination archive = Archive.open(root, calls.calls())) {
      assertEquals(4, fsyncs(made(calls, () -> put(archive, "a/b/c/first", 1))));
      assertEquals(1, fsyncs(made(calls, () -> put(archive, "a/b/c/second", 1))));
      assertEquals(2, fsyncs(made(calls, () -> put(archive, "a/b/d/first", 1))));
      assertEquals(1, fsyncs(made(calls, () -> put(archive, "at-the-root", 1))));
    }
    // Somebody else's directories may be as new as one's own.
    try (Destination archive = Archive.open(root, calls.calls())) {
      assertEquals(4, fsyncs(made(calls, () -> put(archive, "a/b/c/third", 1))));
    }
  }

  @Test
  void syncsADirectoryAgainThatWasRemovedMeanwhile() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.none());
    try (Destination archive = Archive.open(root, calls.calls())) {
      put(archive, "a/b/first", 1);
      Files.move(root.resolve("a/b"), root.resolve("a/old"));
      assertEquals(2, fsyncs(made(calls, () -> put(archive, "a/b/second", 1))));
      Files.move(root.resolve("a/b"), root.resolve("a/older"));
      Files.createDirectory(root.resolve("a/b"));
      assertEquals(2, fsyncs(made(calls, () -> put(archive, "a/b/third", 1))));
      assertEquals(List.of("a/b/third", "a/old/first", "a/older/second"), Archive.keys(archive));
    }
  }

  @Test
  void syncsAnExistingObjectBeforeItSaysThatItExists() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.none());
    try (Destination archive = Archive.open(root, calls.calls())) {
      put(archive, "a/first", 1);
      Files.write(root.resolve("a/copied"), bytes(5));
      // The file, then its name.
      assertEquals(
          2,
          fsyncs(
              made(
                  calls,
                  () -> assertEquals(PutResult.ALREADY_EXISTS, put(archive, "a/copied", 9)))));
      assertArrayEquals(bytes(5), read(archive, "a/copied"));
      assertEquals(List.of(), Archive.unfinished(root));
    }
  }

  private static int fsyncs(List<String> log) {
    return Collections.frequency(log, "fsync");
  }

  @Test
  void goesOnAfterShortWritesAndReads() throws IOException {
    FaultyFileCalls calls = calls(FaultPlan.shortenAll(1000));
    try (Destination archive = Archive.open(root, calls.calls())) {
      put(archive, "a", 300_001);
      assertArrayEquals(bytes(300_001), read(archive, "a"));
    }
  }

  @Test
  void linksWhereTheFileSystemCannotRenameWithoutReplacing() throws IOException {
    FaultyFileCalls calls =
        calls(FaultPlan.when(DirectoryPutTest::createsOnly, new Fault.Fail(Errno.EINVAL)));
    try (Destination archive = Archive.open(root, calls.calls())) {
      assertEquals(PutResult.CREATED, put(archive, "a/b", 10));
      assertEquals(PutResult.ALREADY_EXISTS, put(archive, "a/b", 20));
      assertEquals(PutResult.CREATED, put(archive, "a/c", 30));
      assertArrayEquals(bytes(10), read(archive, "a/b"));
      assertEquals(List.of("a/b", "a/c"), Archive.keys(archive));
    }
    assertEquals(1, Collections.frequency(calls.log(), "rename"), "it is remembered");
    assertEquals(List.of(), Archive.unfinished(root));
    assertEquals(1, Files.getAttribute(root.resolve("a/c"), "unix:nlink"));
  }

  @Test
  void saysThatTheFileSystemCanDoNeither() throws IOException {
    FaultyFileCalls calls =
        calls(
            FaultPlan.when(DirectoryPutTest::createsOnly, new Fault.Fail(Errno.EINVAL))
                .or(FaultPlan.failAll("link", Errno.EPERM)));
    try (Destination archive = Archive.open(root, calls.calls())) {
      DestinationException e =
          assertThrows(PermanentDestinationException.class, () -> put(archive, "a", 10));
      assertTrue(e.hint().contains("another file system"), e.hint());
      assertEquals(List.of(), Archive.unfinished(root));
    }
  }

  @Test
  void leavesPermissionsToTheUmask() throws IOException {
    String umask =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("Umask:"))
            .findFirst()
            .orElseThrow()
            .substring("Umask:".length())
            .strip();
    int allowed = ~Integer.parseInt(umask, 8);
    Path made = root.resolve("made");
    try (Destination archive = Archive.open(made, LinuxFileCalls.create())) {
      put(archive, "a/b", 10);
    }
    assertEquals(0660 & allowed, permissions(made.resolve("a/b")));
    assertEquals(0770 & allowed, permissions(made.resolve("a")));
    assertEquals(0770 & allowed, permissions(made));
  }

  private static int permissions(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & 07777;
  }

  @Test
  void writesInTheSizeThatTheMountWants() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 << 20, 1024)) {
      List<Long> sizes = new ArrayList<>();
      FaultyFileCalls calls =
          calls(
              call -> {
                if (call.is("pwrite")) {
                  sizes.add(((MemorySegment) call.arguments().get(1)).byteSize());
                }
                return Fault.PROCEED;
              });
      try (Destination archive = Archive.open(mounted.root(), calls.calls())) {
        put(archive, "a", 600_000);
      }
      long whole = MountInfo.of(calls.calls(), PosixPath.of(mounted.root())).preferredWriteBytes();
      assertEquals(List.of(whole, whole, 600_000 - 2 * whole), sizes);
    }
  }

  @Test
  void keepsAsManyStreamsOpenAsItSays() throws IOException {
    try (Destination archive = Archive.open(root, LinuxFileCalls.create())) {
      put(archive, "a", 10);
      List<InputStream> streams = new ArrayList<>();
      for (int i = 0; i < ObjectBuffers.MAX_READERS; i++) {
        streams.add(archive.read("a", 0, Long.MAX_VALUE));
      }
      for (InputStream stream : streams) {
        assertArrayEquals(bytes(10), stream.readAllBytes());
      }
      for (InputStream stream : streams) {
        stream.close();
      }
    }
  }

  @Test
  void createsAndChangesNothingWhenOpenedToRead() throws IOException {
    Path missing = root.resolve("missing");
    DestinationException e =
        assertThrows(
            PermanentDestinationException.class,
            () -> Archive.open(missing, LinuxFileCalls.create(), OpenIntent.READ));
    assertEquals(Errno.ENOENT, e.errno().orElseThrow());
    assertFalse(Files.exists(missing));
    try (Destination archive = Archive.open(root, LinuxFileCalls.create(), OpenIntent.READ)) {
      assertEquals(List.of(), Archive.keys(archive));
      assertThrows(IllegalStateException.class, () -> put(archive, "a", 1));
      assertThrows(IllegalStateException.class, () -> archive.putObject("a", new byte[1]));
      assertThrows(IllegalStateException.class, () -> archive.delete("a"));
    }
    assertEquals(0, root.toFile().list().length);
  }
}
