package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Somebody planted things in the archive's directory. */
class HostileArchiveTest {
  @TempDir Path temporary;

  private final FileCalls calls = LinuxFileCalls.create();
  private Path root = Path.of("");
  private Path outside = Path.of("");

  @BeforeEach
  void plantAVictim() throws IOException {
    root = temporary.resolve("archive");
    outside = Files.createDirectory(temporary.resolve("outside"));
    Files.writeString(outside.resolve("victim"), "untouched");
  }

  private void assertVictimUntouched() throws IOException {
    assertEquals(List.of("victim"), List.of(outside.toFile().list()));
    assertEquals("untouched", Files.readString(outside.resolve("victim")));
  }

  private static void assertTaken(Executable call) {
    PermanentDestinationException e = assertThrows(PermanentDestinationException.class, call);
    assertTrue(e.hint().contains("not put there by Tailwater"), e.hint());
  }

  @Test
  void followsNoSymbolicLinkToADirectory() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      Files.createSymbolicLink(root.resolve("away"), outside);
      Files.createSymbolicLink(root.resolve("self"), Path.of("."));
      assertTaken(() -> put(archive, "away/new", 1));
      assertTaken(() -> put(archive, "away/deep/new", 1));
      assertTaken(() -> archive.putObject("away/victim", new byte[1]));
      assertTaken(() -> read(archive, "away/victim"));
      // There is no such object, so there is nothing to delete.
      archive.delete("away/victim");
      assertEquals(List.of(), keys(archive));
      assertEquals(List.of(), archive.list("away/", Optional.empty(), 9).entries());
      assertVictimUntouched();
    }
  }

  @Test
  void followsNoSymbolicLinkInAnObjectsPlace() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      Files.createSymbolicLink(root.resolve("link"), outside.resolve("victim"));
      assertTaken(() -> put(archive, "link", 1));
      assertTaken(() -> read(archive, "link"));
      archive.putObject("link", bytes(3));
      assertArrayEquals(bytes(3), read(archive, "link"));
      Files.createSymbolicLink(root.resolve("dead"), outside.resolve("new"));
      archive.delete("dead");
      assertFalse(Files.isSymbolicLink(root.resolve("dead")));
      assertVictimUntouched();
    }
  }

  @Test
  void writesNoUnfinishedFileThroughASymbolicLink() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      Files.delete(root.resolve(ObjectKeys.RESERVED));
      Files.createSymbolicLink(root.resolve(ObjectKeys.RESERVED), outside);
      assertTaken(() -> put(archive, "a", 1));
      assertTaken(() -> Archive.open(root, calls));
      assertVictimUntouched();
      // Without it all goes on.
      Files.delete(root.resolve(ObjectKeys.RESERVED));
      put(archive, "a", 1);
    }
  }

  @Test
  void listsAndReadsRegularFilesOnly() throws Exception {
    try (Destination archive = Archive.open(root, calls);
        ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      put(archive, "d/object", 1);
      socket.bind(UnixDomainSocketAddress.of(root.resolve("d/socket")));
      Process mkfifo = new ProcessBuilder("mkfifo", root.resolve("d/fifo").toString()).start();
      assertEquals(0, mkfifo.waitFor());
      PosixPath latin1 = PosixPath.of((root + "/d/caf_").getBytes(StandardCharsets.UTF_8));
      byte[] name = latin1.toBytes();
      name[name.length - 1] = (byte) 0xe9;
      calls.close(
          calls.open(
              NameCalls.AT_FDCWD,
              PosixPath.of(name),
              Set.of(OpenFlag.CREATE, OpenFlag.WRITE_ONLY),
              0600));
      Files.createDirectory(root.resolve("lost+found"));
      Files.write(root.resolve("lost+found/#12"), bytes(1));
      Files.createDirectory(root.resolve("empty"));
      assertEquals(List.of("d/object"), keys(archive));
      for (String key : List.of("d/socket", "d/fifo", "empty", "d/object/x")) {
        assertThrows(NoSuchObjectException.class, () -> read(archive, key), key);
      }
      assertTaken(() -> put(archive, "d/fifo", 1));
      assertTaken(() -> put(archive, "d/socket", 1));
      assertTaken(() -> put(archive, "empty", 1));
      assertTaken(() -> put(archive, "d/object/x", 1));
      assertTaken(() -> archive.putObject("d", new byte[1]));
      assertEquals(List.of(), Archive.unfinished(root));
    }
  }

  @Test
  void survivesDirectoriesDeeperThanAnyKey() throws Exception {
    try (Destination archive = Archive.open(root, calls)) {
      Path deep = root;
      for (int i = 0; i < 600; i++) {
        deep = deep.resolve("d");
      }
      Files.createDirectories(deep);
      put(archive, "d/d/e", 1);
      put(archive, "z", 1);
      assertEquals(List.of("d/d/e", "z"), keys(archive));
      // JUnit would need many seconds to clean this up.
      assertEquals(0, new ProcessBuilder("rm", "-r", root.toString()).start().waitFor());
    }
  }

  @Test
  void saysThatAFileBecameShorterWhileItWasRead() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      put(archive, "a", 1_000_000);
      try (InputStream stream = archive.read("a", 0, Long.MAX_VALUE)) {
        assertEquals(300_000, stream.readNBytes(300_000).length);
        Files.write(root.resolve("a"), bytes(10));
        DestinationException e =
            assertThrows(TransientDestinationException.class, stream::readAllBytes);
        assertTrue(e.getMessage().contains("became shorter"), e.getMessage());
      }
    }
  }

  @Test
  void reportsADirectoryThatItMayNotReadInsteadOfListingNothing() throws IOException {
    FaultyFileCalls faulty =
        FaultyFileCalls.wrap(
            calls,
            FaultPlan.when(
                call -> call.is("openBeneath") && call.arguments().get(1).equals(PosixPath.of("d")),
                new Fault.Fail(Errno.EACCES)));
    try (Destination archive = Archive.open(root, calls)) {
      put(archive, "d/object", 1);
    }
    try (Destination archive = Archive.open(root, faulty.calls())) {
      DestinationException e =
          assertThrows(PermanentDestinationException.class, () -> keys(archive));
      assertEquals(Errno.EACCES, e.errno().orElseThrow());
      assertEquals("list", e.operation());
    }
  }
}
