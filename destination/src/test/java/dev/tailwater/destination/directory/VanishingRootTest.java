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
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.ObjectKeys;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The root goes away, comes back, or is another one, while the archive is in use. */
class VanishingRootTest {
  @TempDir Path temporary;

  private final FileCalls calls = LinuxFileCalls.create();

  private static void assertEveryCallIsTransient(Destination archive, String word) {
    for (Executable call :
        List.<Executable>of(
            () -> put(archive, "a/b", 1),
            () -> put(archive, "c", 1),
            () -> archive.putObject("d", new byte[1]),
            () -> read(archive, "a/b"),
            () -> keys(archive),
            () -> archive.delete("a/b"))) {
      TransientDestinationException e = assertThrows(TransientDestinationException.class, call);
      assertTrue(e.getMessage().contains(word), e.getMessage());
      assertFalse(e.hint().isBlank());
    }
  }

  @Test
  void neverCreatesADeletedRootAgain() throws IOException {
    Path root = temporary.resolve("archive");
    try (Destination archive = Archive.open(root, calls)) {
      Files.delete(root.resolve(ObjectKeys.RESERVED));
      Files.delete(root);
      assertEveryCallIsTransient(archive, "was there and is gone");
      assertFalse(Files.exists(root), "it was created again");
    }
  }

  @Test
  void refusesAnotherDirectoryInTheRootsPlaceAndGoesOnWhenTheRootIsBack() throws IOException {
    Path root = temporary.resolve("archive");
    Path aside = temporary.resolve("aside");
    try (Destination archive = Archive.open(root, calls)) {
      put(archive, "a/b", 10);
      Files.move(root, aside);
      assertEveryCallIsTransient(archive, "was there and is gone");
      Files.createDirectory(root);
      assertEveryCallIsTransient(archive, "not the directory that was opened");
      assertEquals(0, root.toFile().list().length, "something was put into it");
      Files.delete(root);
      Files.writeString(root, "a file");
      assertEveryCallIsTransient(archive, "was there and is gone");
      Files.delete(root);
      Files.move(aside, root);
      assertArrayEquals(bytes(10), read(archive, "a/b"));
      assertEquals(PutResult.CREATED, put(archive, "a/c", 1));
    }
  }

  @Test
  void followsARootThatWasMovedAndLinked() throws IOException {
    Path root = temporary.resolve("archive");
    Path aside = temporary.resolve("aside");
    try (Destination archive = Archive.open(root, calls)) {
      Files.move(root, aside);
      Files.createSymbolicLink(root, aside);
      put(archive, "a", 1);
      assertTrue(Files.exists(aside.resolve("a")));
    }
  }

  @Test
  void doesNotHoldTheFileSystemSoThatItCanBeUnmountedBetweenCalls() throws IOException {
    try (MountedFileSystem mounted = TestFileSystems.tmpfs(1 << 20);
        Destination archive = Archive.open(mounted.root(), calls)) {
      put(archive, "a", 1);
      // Closing the mount fails when it is busy; both happen here, the archive's close first.
      assertEquals(List.of("a"), keys(archive));
    }
  }

  @Test
  void doesNotFillTheMountPointOfAVanishedFileSystem() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root may mount a file system");
    Path root = Files.createDirectory(temporary.resolve("mountpoint"));
    Path image = temporary.resolve("image");
    run("truncate", "-s", "16M", image.toString());
    run("mkfs.ext4", "-q", "-F", image.toString());
    mount(image, root);
    try (Destination archive = Archive.open(root, calls)) {
      put(archive, "a/b", 10);
      run("umount", root.toString());
      assertEveryCallIsTransient(archive, "not the directory that was opened");
      assertEquals(0, root.toFile().list().length, "the bare mount point was filled");
      mount(image, root);
      assertArrayEquals(bytes(10), read(archive, "a/b"));
      assertEquals(PutResult.CREATED, put(archive, "a/c", 1));
      // And what is mounted over it later hides the archive as well.
      run("mount", "-t", "tmpfs", "none", root.toString());
      assertEveryCallIsTransient(archive, "not the directory that was opened");
      run("umount", root.toString());
      assertEquals(List.of("a/b", "a/c"), keys(archive));
    } finally {
      run("umount", root.toString());
    }
  }

  private static void mount(Path image, Path root) throws Exception {
    run("mount", "-o", "loop", image.toString(), root.toString());
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
  }

  @Test
  void knowsADirectoryByItsBirthAndWithoutThatByItsDevice() {
    RootIdentity born = new RootIdentity(1, 2, OptionalLong.of(3));
    assertTrue(born.isSameAs(new RootIdentity(9, 2, OptionalLong.of(3))), "NFS mounted again");
    assertFalse(born.isSameAs(new RootIdentity(1, 2, OptionalLong.of(4))), "inode used again");
    assertFalse(born.isSameAs(new RootIdentity(1, 8, OptionalLong.of(3))));
    RootIdentity ageless = new RootIdentity(1, 2, OptionalLong.empty());
    assertTrue(ageless.isSameAs(new RootIdentity(1, 2, OptionalLong.empty())));
    assertFalse(ageless.isSameAs(new RootIdentity(9, 2, OptionalLong.empty())));
    assertFalse(ageless.isSameAs(new RootIdentity(1, 8, OptionalLong.empty())));
  }
}
