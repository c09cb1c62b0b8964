package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system that a test mounted. Closing unmounts it and deletes what it lay on. */
public final class MountedFileSystem implements AutoCloseable {
  private final Path root;
  private final List<Path> images;

  MountedFileSystem(Path root, List<Path> images) {
    this.root = root;
    this.images = images;
  }

  /** Where it is mounted. */
  public Path root() {
    return root;
  }

  /** {@link #root()} for file calls. */
  public PosixPath path() {
    return PosixPath.of(root);
  }

  /** What its device was asked for; only where it lies on one. */
  public DiskStatistics diskStatistics() throws IOException {
    return DiskStatistics.of(root);
  }

  /** From now on, changes fail with EROFS. */
  public void remountReadOnly() throws IOException {
    remount("ro");
  }

  /** Changes are allowed again. */
  public void remountWritable() throws IOException {
    remount("rw");
  }

  private void remount(String mode) throws IOException {
    Command.run(List.of("mount", "-o", "remount," + mode, root.toString())).requireSuccess();
  }

  /**
   * A power cut: nothing more comes to its device, not even what is in memory, and every call that
   * needs the device fails. Only where it lies on one.
   *
   * @see <a href="https://man7.org/linux/man-pages/man8/xfs_io.8.html">xfs_io(8)</a>, shutdown,
   *     which ext4 has too
   */
  public void cutPower() throws IOException {
    assumeTrue(Command.exists("xfs_io"), "xfs_io is not installed");
    Command.run(List.of("xfs_io", "-x", "-c", "shutdown", root.toString())).requireSuccess();
  }

  /**
   * Detaches the disk and attaches it elsewhere: as another device, at another mount point. This
   * one is closed then, and the new one is to be closed instead.
   */
  public MountedFileSystem attachElsewhere() throws IOException {
    Path image = images.getFirst();
    Path elsewhere = Files.createTempDirectory("tailwater-elsewhere");
    Path placeholder = Files.createTempFile("tailwater-placeholder", ".img");
    Files.write(placeholder, new byte[1 << 20]);
    Command.run(List.of("umount", root.toString())).requireSuccess();
    Files.delete(root);
    // Takes the device that has just become free, so that the disk gets another.
    Command.Result device =
        Command.run(List.of("losetup", "--find", "--show", placeholder.toString()));
    device.requireSuccess();
    try {
      Command.run(List.of("mount", "-o", "loop", image.toString(), elsewhere.toString()))
          .requireSuccess();
      return new MountedFileSystem(elsewhere, images);
    } finally {
      Command.run(List.of("losetup", "--detach", device.output().strip())).requireSuccess();
      Files.delete(placeholder);
    }
  }

  /** A file that is still open is an error; the file system goes away with the last one. */
  @Override
  public void close() throws IOException {
    Command.Result result = Command.run(List.of("umount", root.toString()));
    if (!result.succeeded()) {
      Command.run(List.of("umount", "--lazy", root.toString())).requireSuccess();
    }
    Files.delete(root);
    for (Path image : images) {
      Files.delete(image);
    }
    result.requireSuccess();
  }
}
