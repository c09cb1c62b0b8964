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
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import dev.tailwater.posix.testkit.fuse.FuseRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An archive on a server that behaves as NFS servers do in their worst moments: errors that come
 * only with fsync or close, forgotten handles, repeated requests, restarts. Needs FUSE.
 */
class FileServerTest {
  private static final int WSIZE_BYTES = FuseOptions.DEFAULT_MAX_WRITE_BYTES;

  /** A deadline that only a file which is left open reaches. */
  private static final long RELEASE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final FileCalls calls = LinuxFileCalls.create();
  private FuseFileSystem server;
  private Destination archive;

  @BeforeEach
  void mount() throws IOException {
    server = FuseFileSystem.mount(FuseOptions.direct().withoutRenameFlags());
    archive = Archive.open(server.root(), calls);
  }

  @AfterEach
  void unmount() throws IOException {
    if (server == null) {
      return; // There is no FUSE here, and the test was skipped.
    }
    archive.close();
    server.close();
  }

  private void requireObject(String key, int length) throws IOException {
    assertEquals(List.of(key), keys(archive));
    assertArrayEquals(bytes(length), read(archive, key));
    requireNothingUnfinished();
  }

  /**
   * Waits for names of files that were removed while they were open: the kernel tells a server that
   * a file was closed after close(2) has returned, so that libfuse removes such a name later.
   */
  private void requireNothingUnfinished() throws IOException {
    long endNanos = System.nanoTime() + RELEASE_NANOS;
    List<String> unfinished = Archive.unfinished(server.files());
    while (unfinished.stream().anyMatch(SillyNames::contain) && System.nanoTime() - endNanos < 0) {
      LockSupport.parkNanos(1_000_000);
      unfinished = Archive.unfinished(server.files());
    }
    assertEquals(List.of(), unfinished);
  }

  @Test
  void writesFullRequestsAndSyncsOnce() throws IOException {
    put(archive, "a/1", 10);
    server.reset();
    put(archive, "a/2", 5 * WSIZE_BYTES + 1);
    assertEquals(Map.of(WSIZE_BYTES, 5L, 1, 1L), server.counts().writeSizes());
    assertEquals(1, server.counts().fsyncRequests());
    assertEquals(1L, server.requests().get(FuseRequest.LINK));
    assertEquals(1L, server.requests().get(FuseRequest.FSYNCDIR));
  }

  @ParameterizedTest
  @EnumSource(
      value = FuseRequest.class,
      names = {"WRITE", "FSYNC", "FLUSH"})
  void doesNotAcknowledgeWhatTheServerCouldNotKeep(FuseRequest request) throws IOException {
    for (Errno errno : List.of(Errno.ENOSPC, Errno.EDQUOT, Errno.EIO)) {
      server.fail(request, errno, 1);
      DestinationException e =
          assertThrows(DestinationException.class, () -> put(archive, "a/1", 3 * WSIZE_BYTES));
      assertEquals(errno, e.errno().orElseThrow());
      assertEquals(errno != Errno.EIO, e.permanent(), e.getMessage());
      assertEquals(List.of(), keys(archive));
      requireNothingUnfinished();
    }
    assertEquals(PutResult.CREATED, put(archive, "a/1", 3 * WSIZE_BYTES));
    requireObject("a/1", 3 * WSIZE_BYTES);
  }

  @ParameterizedTest
  @EnumSource(
      value = FuseRequest.class,
      names = {"LINK", "FSYNCDIR"})
  void doesNotAcknowledgeANameThatTheServerCouldNotKeep(FuseRequest request) throws IOException {
    server.fail(request, Errno.EIO, 1);
    assertThrows(TransientDestinationException.class, () -> put(archive, "1", 10));
    put(archive, "1", 10);
    requireObject("1", 10);
  }

  @Test
  void createsOneObjectThoughTheAnswerToALinkWasLost() throws IOException {
    server.repeat(FuseRequest.LINK, 1);
    assertEquals(PutResult.CREATED, put(archive, "a/1", 10));
    requireObject("a/1", 10);
    assertEquals(PutResult.ALREADY_EXISTS, put(archive, "a/1", 20));
    requireObject("a/1", 10);
  }

  @ParameterizedTest
  @EnumSource(
      value = FuseRequest.class,
      names = {"UNLINK", "MKDIR", "RENAME", "CREATE"})
  void bearsARequestThatIsMadeTwice(FuseRequest request) throws IOException {
    server.repeat(request, 1);
    putAgainIfTransient("dir/1");
    server.repeat(request, 1);
    putAgainIfTransient("dir/1");
    requireObject("dir/1", 10);
    server.repeat(request, 1);
    try {
      archive.putObject("o.json", bytes(7));
    } catch (TransientDestinationException e) {
      archive.putObject("o.json", bytes(7));
    }
    assertArrayEquals(bytes(7), read(archive, "o.json"));
    server.repeat(request, 1);
    archive.delete("o.json");
    requireObject("dir/1", 10);
  }

  private void putAgainIfTransient(String key) throws DestinationException {
    try {
      put(archive, key, 10);
    } catch (TransientDestinationException e) {
      put(archive, key, 10);
    }
  }

  @Test
  void opensEverythingAnewWhenTheServerForgotIt() throws IOException {
    put(archive, "a/1", 10);
    for (FuseRequest request : List.of(FuseRequest.CREATE, FuseRequest.WRITE, FuseRequest.LINK)) {
      archive.delete("a/1");
      server.fail(request, Errno.ESTALE, 1);
      assertEquals(PutResult.CREATED, put(archive, "a/1", 10), request.toString());
      server.fail(request, Errno.ESTALE, 1000);
      TransientDestinationException e =
          assertThrows(TransientDestinationException.class, () -> put(archive, "a/2", 10));
      assertEquals(Errno.ESTALE, e.errno().orElseThrow());
      assertTrue(e.hint().contains("mount"), e.hint());
      server.heal();
    }
    server.fail(FuseRequest.READDIR, Errno.ESTALE, 1);
    assertEquals(List.of("a/1"), keys(archive));
    server.fail(FuseRequest.OPEN, Errno.ESTALE, 1);
    assertArrayEquals(bytes(10), read(archive, "a/1"));
    requireObject("a/1", 10);
  }

  @Test
  void goesOnWithTheServerThatWasStartedAnew() throws IOException {
    put(archive, "a/1", 10);
    server.killServer();
    DestinationException e = assertThrows(DestinationException.class, () -> put(archive, "b", 1));
    assertFalse(e.permanent(), e.getMessage());
    server.restartServer();
    assertEquals(PutResult.ALREADY_EXISTS, put(archive, "a/1", 20));
    requireObject("a/1", 10);
  }

  @Test
  void doesNotFillTheMountPointWhileTheServerIsAway() throws IOException {
    put(archive, "a/1", 10);
    server.unmountServer();
    DestinationException e = assertThrows(DestinationException.class, () -> put(archive, "b", 1));
    assertFalse(e.permanent(), e.getMessage());
    assertEquals(0, server.root().toFile().list().length, "the bare mount point was filled");
    server.restartServer();
    requireObject("a/1", 10);
  }

  @Test
  void doesNotListAnObjectThatWasRemovedWhileItIsRead() throws IOException {
    put(archive, "a/1", 3 * WSIZE_BYTES);
    archive.putObject("a/o.json", bytes(7));
    try (InputStream stream = archive.read("a/1", 0, Long.MAX_VALUE);
        InputStream old = archive.read("a/o.json", 0, Long.MAX_VALUE)) {
      archive.delete("a/1");
      archive.putObject("a/o.json", bytes(8));
      assertTrue(
          List.of(server.files().resolve("a").toFile().list()).stream()
              .anyMatch(SillyNames::contain),
          "the file that is open got another name");
      assertEquals(List.of("a/o.json"), keys(archive));
      assertArrayEquals(bytes(3 * WSIZE_BYTES), stream.readAllBytes());
      assertArrayEquals(bytes(7), old.readAllBytes());
    }
    assertArrayEquals(bytes(8), read(archive, "a/o.json"));
  }
}
