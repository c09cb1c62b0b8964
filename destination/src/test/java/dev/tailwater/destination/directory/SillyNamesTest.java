package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that NFS clients and libfuse give to removed files, on an ordinary file system. */
class SillyNamesTest {
  private static final List<String> SILLY =
      List.of(".nfs00000000000c07a300000001", ".fuse_hidden0000000200000001");

  @TempDir Path root;

  private final FileCalls calls = LinuxFileCalls.create();

  @Test
  void areNoObjects() throws IOException {
    try (Destination archive = Archive.open(root, calls)) {
      put(archive, "a/1", 10);
      for (String name : SILLY) {
        Path file = Files.write(root.resolve("a").resolve(name), bytes(10));
        String key = "a/" + name;
        assertEquals(List.of("a/1"), keys(archive));
        assertThrows(NoSuchObjectException.class, () -> read(archive, key));
        PermanentDestinationException e =
            assertThrows(PermanentDestinationException.class, () -> put(archive, key, 10));
        assertTrue(e.getMessage().contains("removed while it is open"), e.getMessage());
        assertThrows(
            PermanentDestinationException.class, () -> archive.putObject(key, new byte[1]));
        archive.delete(key);
        assertTrue(Files.exists(file), "whoever has it open removes it");
      }
    }
  }

  @Test
  void mayBeNamesOfDirectoriesAndPartsOfNames() throws IOException {
    List<String> keys =
        List.of(
            ".fuse_hidden0000000200000001/1",
            ".nfs00000000000c07a300000001/1",
            ".nfs00000000000c07a300000001.zst",
            "x.nfs00000000000c07a300000001");
    try (Destination archive = Archive.open(root, calls)) {
      // A source on NFS has such files, and their streams lie below such names.
      for (String key : keys) {
        put(archive, key, 5);
        assertArrayEquals(bytes(5), read(archive, key));
      }
      assertEquals(keys.stream().sorted(ObjectKeys.ORDER).toList(), keys(archive));
    }
  }

  @Test
  void doNotKeepTheArchiveClosedWhileSomebodyHasALeftoverOpen() throws IOException {
    Path directory = Files.createDirectories(root.resolve(ObjectKeys.RESERVED));
    Path old = Files.createFile(directory.resolve(SILLY.getFirst()));
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    FaultyFileCalls busy =
        FaultyFileCalls.wrap(
            calls, FaultPlan.when(call -> call.is("unlink"), new Fault.Fail(Errno.EBUSY)));
    Archive.open(root, busy.calls()).close();
    assertTrue(Files.exists(old));
    Archive.open(root, calls).close();
    assertTrue(Files.notExists(old), "a machine that went down left it");
  }
}
