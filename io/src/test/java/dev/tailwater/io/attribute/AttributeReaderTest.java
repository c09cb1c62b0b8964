package dev.tailwater.io.attribute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestAttributes;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes of real files on real file systems. */
class AttributeReaderTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private static final byte[] ACL = TestAttributes.acl(6, 4);

  @TempDir private Path directory;

  private static MountedFileSystem mount(String type) throws IOException {
    return switch (type) {
      case "ext4" -> TestFileSystems.ext4(16 << 20, 1024);
      case "xfs" -> TestFileSystems.xfs(TestFileSystems.MIN_XFS_BYTES, 4096);
      default -> TestFileSystems.tmpfs(4 << 20);
    };
  }

  private static Descriptor open(Path path) throws ErrnoException {
    return Descriptor.open(CALLS, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(), 0);
  }

  /** Only some file systems have room for so many: ext4 keeps all in one block. */
  @Test
  void namesThatNeedMoreThanTheUsualRoomAreAllListed() throws IOException {
    try (MountedFileSystem mounted = mount("xfs");
        Descriptor file = open(Files.createFile(mounted.root().resolve("file")))) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        String name = "user." + i + "x".repeat(200);
        CALLS.setAttribute(file.fd(), name, new byte[0]);
        names.add(name);
      }
      assertEquals(names, Set.copyOf(CALLS.attributeNames(file.fd())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "tmpfs"})
  void readsAttributesOfUsersAndAcls(String type) throws IOException {
    try (MountedFileSystem mounted = mount(type);
        Descriptor file = open(Files.createFile(mounted.root().resolve("file")));
        Descriptor inside = open(Files.createDirectory(mounted.root().resolve("directory")))) {
      AttributeReader reader = new AttributeReader(CALLS);
      assertTrue(reader.read(file.fd()).isEmpty());
      TestAttributes.set(CALLS, file.fd(), ExtendedAttributes.ACCESS_ACL, ACL);
      TestAttributes.set(CALLS, inside.fd(), ExtendedAttributes.DEFAULT_ACL, ACL);
      assertArrayEquals(ACL, reader.read(file.fd()).value(ExtendedAttributes.ACCESS_ACL));
      assertArrayEquals(ACL, reader.read(inside.fd()).value(ExtendedAttributes.DEFAULT_ACL));
      TestAttributes.set(CALLS, file.fd(), "user.origin", new byte[] {1, 0, 2});
      ExtendedAttributes read = reader.read(file.fd());
      assertEquals(Set.of(ExtendedAttributes.ACCESS_ACL, "user.origin"), read.names());
      assertArrayEquals(new byte[] {1, 0, 2}, read.value("user.origin"));
      assertEquals(0, reader.takeNotKept());
    }
  }

  @Test
  void whatBelongsToTheMachineIsCountedAndNotRead() throws IOException {
    assumeTrue(TestFileSystems.isRoot(), "only root may set trusted attributes");
    try (MountedFileSystem mounted = mount("ext4");
        Descriptor file = open(Files.createFile(mounted.root().resolve("file")))) {
      TestAttributes.set(CALLS, file.fd(), "trusted.overlay.opaque", new byte[] {'y'});
      AttributeReader reader = new AttributeReader(CALLS);
      assertTrue(reader.read(file.fd()).isEmpty());
      assertEquals(1, reader.takeNotKept());
      assertEquals(0, reader.takeNotKept());
    }
  }

  @Test
  void moreThanOneFileMayHaveIsCountedAndNotRead() throws IOException {
    try (MountedFileSystem mounted = mount("xfs");
        Descriptor file = open(Files.createFile(mounted.root().resolve("file")))) {
      for (int i = 0; i < 6; i++) {
        TestAttributes.set(CALLS, file.fd(), "user." + i, new byte[60_000]);
      }
      AttributeReader reader = new AttributeReader(CALLS);
      ExtendedAttributes read = reader.read(file.fd());
      assertEquals(4, read.names().size());
      assertEquals(2, reader.takeNotKept());
    }
  }

  private ExtendedAttributes readWith(String call, Errno errno) throws IOException {
    Path path = Files.createFile(directory.resolve("file" + errno));
    try (Descriptor file = open(path)) {
      TestAttributes.set(CALLS, file.fd(), "user.a", new byte[1]);
      FaultyFileCalls faulty = FaultyFileCalls.wrap(CALLS, FaultPlan.failOnce(call, errno));
      return new AttributeReader(faulty.calls()).read(file.fd());
    }
  }

  @Test
  void aFileSystemWithoutAttributesHasNoneAndOtherFailuresAreThrown() throws IOException {
    assertTrue(readWith("attributeNames", Errno.EOPNOTSUPP).isEmpty());
    assertTrue(readWith("attribute", Errno.ENODATA).isEmpty());
    assertThrows(ErrnoException.class, () -> readWith("attributeNames", Errno.EIO));
    assertThrows(ErrnoException.class, () -> readWith("attribute", Errno.EACCES));
  }

  @Test
  void attributesAreEqualByNamesAndValues() {
    ExtendedAttributes one = ExtendedAttributes.of(Map.of("user.a", new byte[] {1}));
    assertEquals(one, ExtendedAttributes.of(Map.of("user.a", new byte[] {1})));
    assertEquals(
        one.hashCode(), ExtendedAttributes.of(Map.of("user.a", new byte[] {1})).hashCode());
    assertTrue(!one.equals(ExtendedAttributes.of(Map.of("user.a", new byte[] {2}))));
    assertTrue(!one.equals(ExtendedAttributes.NONE));
    for (String name : new String[] {"", "a\0", "x".repeat(256), "\u1234"}) {
      assertThrows(
          IllegalArgumentException.class, () -> ExtendedAttributes.of(Map.of(name, new byte[0])));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> ExtendedAttributes.of(Map.of("user.a", new byte[65_537])));
  }
}
