package dev.tailwater.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a file is, on the real kernel and as bytes. */
final class FileIdentityTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir Path directory;

  private FileIdentity identity(FileCalls with, Path file) throws IOException {
    try (Descriptor descriptor =
        Descriptor.open(with, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0)) {
      return FileIdentity.of(with, descriptor.fd());
    }
  }

  @Test
  void survivesRenamingAndWriting() throws IOException {
    Path file = Files.writeString(directory.resolve("x"), "x");
    FileIdentity before = identity(calls, file);
    Path renamed = Files.move(file, directory.resolve("y"), StandardCopyOption.ATOMIC_MOVE);
    Files.writeString(renamed, "longer");
    assertEquals(before, identity(calls, renamed));
  }

  @Test
  void reusedInodeIsAnotherFileOnExt4() throws IOException {
    try (MountedFileSystem ext4 = TestFileSystems.ext4(32L << 20, 1024)) {
      Path file = Files.writeString(ext4.root().resolve("x"), "x");
      FileIdentity before = identity(calls, file);
      Files.delete(file);
      FileIdentity after = identity(calls, Files.writeString(file, "x"));
      assertEquals(before.inode(), after.inode(), "ext4 gives the freed number again");
      assertEquals(before.fileSystemId(), after.fileSystemId());
      assertTrue(before.generation().isPresent());
      assertNotEquals(before.generation(), after.generation());
      assertNotEquals(before, after);
    }
  }

  @Test
  void survivesTheDiskBeingAttachedElsewhere() throws IOException {
    requireSameElsewhere(TestFileSystems.ext4(32L << 20, 1024));
    requireSameElsewhere(TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096));
  }

  private void requireSameElsewhere(MountedFileSystem disk) throws IOException {
    Path file = Files.writeString(disk.root().resolve("x"), "x");
    Object device = Files.getAttribute(file, "unix:dev");
    FileIdentity before = identity(calls, file);
    try (MountedFileSystem elsewhere = disk.attachElsewhere()) {
      Path there = elsewhere.root().resolve("x");
      assertNotEquals(device, Files.getAttribute(there, "unix:dev"));
      assertEquals(before, identity(calls, there));
      assertTrue(before.anywhere().isPresent());
    }
  }

  @Test
  void twoDisksOfOneKindAreTwo() throws IOException {
    try (MountedFileSystem one = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096);
        MountedFileSystem other = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      long first = identity(calls, Files.createFile(one.root().resolve("x"))).fileSystemId();
      long second = identity(calls, Files.createFile(other.root().resolve("x"))).fileSystemId();
      assertNotEquals(first, second);
    }
  }

  @Test
  void diskThatBreaksWhileItIsAskedForItsUuidIsAnError() throws IOException {
    try (MountedFileSystem xfs = TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096)) {
      Path file = Files.createFile(xfs.root().resolve("x"));
      FileCalls broken =
          FaultyFileCalls.wrap(calls, FaultPlan.failAll("fileSystemUuid", Errno.EIO)).calls();
      assertEquals(
          Errno.EIO, assertThrows(ErrnoException.class, () -> identity(broken, file)).errno());
    }
  }

  @Test
  void fileSystemWithoutGenerationsIsNoError() throws IOException {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(1 << 20)) {
      Path file = Files.writeString(tmpfs.root().resolve("x"), "x");
      FileIdentity identity = identity(calls, file);
      assertNotEquals(0, identity.fileSystemId());
      assertEquals(identity, FileIdentity.fromBytes(identity.toBytes()));
    }
    Path file = Files.writeString(directory.resolve("x"), "x");
    for (Errno errno : Set.of(Errno.ENOTTY, Errno.EOPNOTSUPP, Errno.EPERM, Errno.ENOSYS)) {
      FileCalls refusing =
          FaultyFileCalls.wrap(calls, FaultPlan.failAll("generation", errno)).calls();
      assertEquals(OptionalLong.empty(), identity(refusing, file).generation());
    }
  }

  @Test
  void brokenDiskIsAnError() throws IOException {
    Path file = Files.writeString(directory.resolve("x"), "x");
    FileCalls broken =
        FaultyFileCalls.wrap(calls, FaultPlan.failAll("generation", Errno.EIO)).calls();
    ErrnoException e = assertThrows(ErrnoException.class, () -> identity(broken, file));
    assertEquals(Errno.EIO, e.errno());
  }

  @Test
  void bytesGiveBackEveryIdentity() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      FileIdentity identity =
          new FileIdentity(
              random.nextLong(),
              random.nextLong(),
              i % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(random.nextLong()),
              i % 3 == 0 ? OptionalLong.empty() : OptionalLong.of(random.nextLong()));
      byte[] bytes = identity.toBytes();
      assertEquals(identity, FileIdentity.fromBytes(bytes));
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThrows(IllegalArgumentException.class, () -> FileIdentity.fromBytes(cut));
      }
    }
  }

  @Test
  void hostileBytesAreRefused() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      try {
        assertEquals(bytes.length, FileIdentity.fromBytes(bytes).toBytes().length);
      } catch (IllegalArgumentException e) {
        assertTrue(e.toString().contains("identity"));
      }
    }
    byte[] unknownFlag = new byte[18];
    unknownFlag[0] = 1;
    unknownFlag[1] = 4;
    assertThrows(IllegalArgumentException.class, () -> FileIdentity.fromBytes(unknownFlag));
  }
}
