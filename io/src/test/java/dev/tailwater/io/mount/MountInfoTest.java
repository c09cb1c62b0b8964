package dev.tailwater.io.mount;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts; those that need root or FUSE are skipped elsewhere. */
class MountInfoTest {
  private static final long MIB = 1024 * 1024;

  private final FileCalls calls = LinuxFileCalls.create();

  private MountInfo of(Path path) throws IOException {
    return MountInfo.of(calls, PosixPath.of(path));
  }

  @Test
  void aTmpfsIsFoundByPathAndByDescriptor() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      Path file = Files.createFile(mounted.root().resolve("file"));
      MountInfo byPath = of(file);
      assertEquals(mounted.path(), byPath.mountPoint());
      assertEquals("tmpfs", byPath.fileSystemType());
      assertEquals(FileSystemKind.LOCAL, byPath.kind());
      assertTrue(byPath.fromMountTable());
      assertFalse(byPath.synchronous());
      assertFalse(byPath.readOnly());
      assertEquals(256 * 1024, byPath.preferredWriteBytes());
      int fd = calls.open(NameCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
      try {
        assertEquals(byPath, MountInfo.of(calls, fd));
      } finally {
        calls.close(fd);
      }
      mounted.remountReadOnly();
      assertTrue(of(file).readOnly());
      mounted.remountWritable();
    }
  }

  @Test
  void aSynchronousExt4SaysSo() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.ext4(16 * MIB, 1024)) {
      assertFalse(of(mounted.root()).synchronous());
      assertEquals(1024, of(mounted.root()).blockSizeBytes());
      Command.run(List.of("mount", "-o", "remount,sync", mounted.root().toString()))
          .requireSuccess();
      MountInfo mount = of(mounted.root());
      assertEquals("ext4", mount.fileSystemType());
      assertTrue(mount.synchronous(), "options are " + mount.options());
    }
  }

  @Test
  void aBindMountAndAnOvermountAreToldApart(@TempDir Path directory) throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(MIB)) {
      Path inside = Files.createDirectory(mounted.root().resolve("in side"));
      Path bind = Files.createDirectory(directory.resolve("b\\ind \n\u00e9"));
      Files.createFile(inside.resolve("file"));
      Command.run(List.of("mount", "--bind", inside.toString(), bind.toString())).requireSuccess();
      try {
        assertEquals(PosixPath.of(bind), of(bind.resolve("file")).mountPoint());
        assertEquals(mounted.path(), of(inside.resolve("file")).mountPoint());
        Command.run(List.of("mount", "-t", "tmpfs", "-o", "size=64k", "upper", bind.toString()))
            .requireSuccess();
        try {
          assertEquals("upper", of(bind).source());
        } finally {
          Command.run(List.of("umount", bind.toString())).requireSuccess();
        }
        assertEquals("none", of(bind).source());
      } finally {
        Command.run(List.of("umount", bind.toString())).requireSuccess();
      }
    }
  }

  @Test
  void aFuseMountIsRemote() throws IOException {
    try (FuseFileSystem mounted = FuseFileSystem.mount(FuseOptions.direct())) {
      MountInfo mount = of(mounted.root());
      assertEquals(mounted.path(), mount.mountPoint());
      assertTrue(mount.fileSystemType().startsWith("fuse"), mount.fileSystemType());
      assertEquals(FileSystemKind.REMOTE, mount.kind());
      assertEquals(128 * 1024, mount.preferredWriteBytes());
      assertTrue(mount.nfs().isEmpty());
    }
  }

  @Test
  void aFifoIsAskedWithoutWaitingForItsOtherEnd(@TempDir Path directory) throws IOException {
    assumeTrue(Command.exists("mkfifo"), "mkfifo is not installed");
    Path fifo = directory.resolve("fifo");
    Command.run(List.of("mkfifo", fifo.toString())).requireSuccess();
    assertEquals(of(directory), of(fifo));
  }

  @Test
  void aMissingFileIsAnError(@TempDir Path directory) {
    ErrnoException e = assertThrows(ErrnoException.class, () -> of(directory.resolve("missing")));
    assertEquals(Errno.ENOENT, e.errno());
    assertTrue(e.toString().contains("missing"), e.toString());
  }

  private static FaultyFileCalls withoutProc(FileCalls real, String hidden) {
    return FaultyFileCalls.wrap(
        real,
        FaultPlan.when(
            call -> call.is("open") && call.arguments().get(1).toString().startsWith(hidden),
            new Fault.Fail(Errno.ENOENT)));
  }

  @Test
  void withoutProcStatfsAloneAnswers(@TempDir Path directory) throws IOException {
    MountInfo with = of(directory);
    FaultyFileCalls faulty = withoutProc(calls, "/proc/");
    MountInfo without = MountInfo.of(faulty.calls(), PosixPath.of(directory));
    assertFalse(without.fromMountTable());
    assertEquals("unknown", without.fileSystemType());
    assertEquals(with.kind(), without.kind());
    assertEquals(with.blockSizeBytes(), without.blockSizeBytes());
    assertEquals(with.preferredWriteBytes(), without.preferredWriteBytes());
    assertEquals(List.of(), faulty.openDescriptors());
  }

  @Test
  void anErrorOfProcIsNotTakenForItsAbsence(@TempDir Path directory) {
    FaultyFileCalls faulty = FaultyFileCalls.wrap(calls, FaultPlan.failOnce("pread", Errno.EIO));
    ErrnoException e =
        assertThrows(
            ErrnoException.class, () -> MountInfo.of(faulty.calls(), PosixPath.of(directory)));
    assertEquals(Errno.EIO, e.errno());
    assertEquals(List.of(), faulty.openDescriptors());
  }

  @Test
  void aKernelWhoseStatxKnowsNoMountIdIsAskedThroughProc(@TempDir Path directory)
      throws IOException {
    FileCalls old = OldKernel.wrap(calls);
    assertEquals(of(directory), MountInfo.of(old, PosixPath.of(directory)));
    assertEquals(of(Path.of("/proc")), MountInfo.of(old, PosixPath.of("/proc")));
    FaultyFileCalls older = withoutProc(old, "/proc/self/fdinfo");
    assertEquals(of(directory), MountInfo.of(older.calls(), PosixPath.of(directory)));
    assertEquals(of(Path.of("/proc")), MountInfo.of(older.calls(), PosixPath.of("/proc")));
  }
}
