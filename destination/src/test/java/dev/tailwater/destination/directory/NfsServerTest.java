package dev.tailwater.destination.directory;

import static dev.tailwater.destination.directory.Archive.bytes;
import static dev.tailwater.destination.directory.Archive.keys;
import static dev.tailwater.destination.directory.Archive.put;
import static dev.tailwater.destination.directory.Archive.read;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.nfs.NfsFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An archive on a real NFS server, mounted by this kernel. Skipped where there is none. */
class NfsServerTest {
  private static final int WSIZE_BYTES = 64 << 10;

  private final FileCalls calls = LinuxFileCalls.create();

  @Test
  void writesInTheSizeOfARequest() throws IOException {
    try (NfsFileSystem nfs = NfsFileSystem.mount("hard,noac,wsize=" + WSIZE_BYTES)) {
      MountInfo mount = MountInfo.of(calls, PosixPath.of(nfs.root()));
      assertEquals(WSIZE_BYTES, mount.preferredWriteBytes());
      assertTrue(mount.synchronous());
      FaultyFileCalls counted = FaultyFileCalls.wrap(calls, FaultPlan.none());
      try (Destination archive = Archive.open(nfs.root(), counted.calls())) {
        put(archive, "a/1", 10 * WSIZE_BYTES);
        assertEquals(10, counted.log().stream().filter("pwrite"::equals).count());
        assertArrayEquals(bytes(10 * WSIZE_BYTES), read(archive, "a/1"));
      }
    }
  }

  @Test
  void doesNotListAnObjectThatWasRemovedWhileItIsRead() throws IOException {
    try (NfsFileSystem nfs = NfsFileSystem.mount("hard");
        Destination archive = Archive.open(nfs.root(), calls)) {
      put(archive, "a/1", 3 << 20);
      archive.putObject("a/o.json", bytes(7));
      try (InputStream stream = archive.read("a/1", 0, Long.MAX_VALUE);
          InputStream old = archive.read("a/o.json", 0, Long.MAX_VALUE)) {
        archive.delete("a/1");
        archive.putObject("a/o.json", bytes(8));
        assertEquals(
            2,
            Stream.of(nfs.files().resolve("a").toFile().list()).filter(SillyNames::contain).count(),
            "files that are open got other names");
        assertEquals(List.of("a/o.json"), keys(archive));
        assertArrayEquals(bytes(3 << 20), stream.readAllBytes());
        assertArrayEquals(bytes(7), old.readAllBytes());
      }
      assertArrayEquals(bytes(8), read(archive, "a/o.json"));
      assertEquals(List.of("o.json"), List.of(nfs.files().resolve("a").toFile().list()));
    }
  }

  @Test
  void aPutWaitsForTheServerThatIsStartedAnew() throws Exception {
    try (NfsFileSystem nfs = NfsFileSystem.mount("hard");
        Destination archive = Archive.open(nfs.root(), calls);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      put(archive, "a/1", 10);
      nfs.killServer();
      Future<PutResult> waiting = threads.submit(() -> put(archive, "a/2", 1 << 20));
      nfs.restartServer();
      assertEquals(PutResult.CREATED, waiting.get());
      assertEquals(List.of("a/1", "a/2"), keys(archive));
      assertArrayEquals(bytes(1 << 20), read(archive, "a/2"));
    }
  }
}
