package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.FileSystemStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files that are open at the same time ask their file system. */
final class OpenFileSystemTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final FileCalls calls =
      WrappedCalls.of(
          LinuxFileCalls.create(),
          (method, _, real) -> {
            if (method.getName().equals("statfs")) {
              asked.incrementAndGet();
            }
            return real.make();
          });
  private final List<Descriptor> open = new ArrayList<>();

  @TempDir Path directory;

  private Descriptor make(Path in, String name) throws IOException {
    Path file = Files.writeString(in.resolve(name), name);
    Descriptor opened = Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
    open.add(opened);
    return opened;
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Descriptor file : open) {
      file.close();
    }
  }

  private FileIdentity identify(OpenFileSystem by, Descriptor file) throws IOException {
    FileIdentity identity = by.identify(calls, file.fd(), calls.fstat(file.fd()));
    assertEquals(FileIdentity.of(LinuxFileCalls.create(), file.fd()), identity);
    return identity;
  }

  @Test
  void isAskedOnceForAllFilesOfOneDevice() throws IOException {
    OpenFileSystem fileSystem = OpenFileSystem.unknown();
    for (int i = 0; i < 10; i++) {
      Descriptor file = make(directory, "file-" + i);
      fileSystem = fileSystem.at(calls.fstat(file.fd()).device());
      var _ = identify(fileSystem, file);
    }
    assertEquals(1, asked.get());
  }

  @Test
  void eachFileOfAnotherDeviceAsksForItself() throws IOException {
    try (MountedFileSystem other = TestFileSystems.tmpfs(1 << 20)) {
      Descriptor here = make(directory, "here");
      OpenFileSystem fileSystem = OpenFileSystem.unknown().at(calls.fstat(here.fd()).device());
      FileIdentity identity = identify(fileSystem, here);
      for (int i = 0; i < 3; i++) {
        Descriptor there = make(other.root(), "there-" + i);
        assertNotEquals(identity.fileSystemId(), identify(fileSystem, there).fileSystemId());
        FileStatus status = calls.fstat(there.fd());
        assertEquals(OptionalLong.empty(), fileSystem.idOf(status));
        assertEquals(OptionalLong.empty(), fileSystem.at(status.device()).idOf(status));
      }
      assertEquals(1 + 3, asked.get());
      closeAll(); // or it could not be unmounted
      open.clear();
    }
  }

  @Test
  void isTheSameForWhateverHasItsDeviceNumber() throws IOException {
    Descriptor file = make(directory, "file");
    FileStatus status = calls.fstat(file.fd());
    OpenFileSystem fileSystem = OpenFileSystem.unknown().at(status.device());
    assertEquals(OptionalLong.empty(), fileSystem.idOf(status));
    long id = identify(fileSystem, file).fileSystemId();
    assertEquals(OptionalLong.of(id), fileSystem.at(status.device()).idOf(status));
  }

  /** As a 9p server may have it that exports a directory in which others are mounted. */
  @Test
  void passesNothingOnWhereOneDeviceMayShowSeveral() throws IOException {
    FileCalls remote =
        WrappedCalls.of(
            calls,
            (method, _, real) ->
                real.make() instanceof FileSystemStatus of && method.getName().equals("statfs")
                    ? withType(of, 0x0102_1997)
                    : real.make());
    Descriptor file = make(directory, "file");
    FileStatus status = calls.fstat(file.fd());
    OpenFileSystem fileSystem = OpenFileSystem.unknown().at(status.device());
    var _ = fileSystem.identify(remote, file.fd(), status);
    assertTrue(fileSystem.idOf(status).isPresent());
    assertEquals(OptionalLong.empty(), fileSystem.at(status.device()).idOf(status));
  }

  private static FileSystemStatus withType(FileSystemStatus of, long type) {
    return new FileSystemStatus(
        type,
        of.id(),
        of.blockSizeBytes(),
        of.totalBytes(),
        of.availableBytes(),
        of.freeInodes(),
        of.maxNameBytes());
  }

  @Test
  void oneThatIsUnknownRemembersNothing() throws IOException {
    for (int i = 0; i < 3; i++) {
      var _ = identify(OpenFileSystem.unknown(), make(directory, "file-" + i));
    }
    assertEquals(3, asked.get());
  }
}
