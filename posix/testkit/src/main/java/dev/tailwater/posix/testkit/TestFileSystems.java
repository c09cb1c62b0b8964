package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Real file systems for single tests: full disks, other block sizes, other devices. If a file
 * system is not available, the test that requests it is skipped with the reason. Mounting needs
 * root, creating a file system needs its mkfs program, and the kernel must support the file system.
 */
public final class TestFileSystems {
  /** The smallest file system that mkfs.xfs creates, since xfsprogs 5.19; the image is sparse. */
  public static final long MIN_XFS_BYTES = 300L * 1024 * 1024;

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private TestFileSystems() {}

  /** Mounts an empty tmpfs of this size, which reports ENOSPC when it is full. */
  public static MountedFileSystem tmpfs(long sizeBytes) throws IOException {
    return tmpfs("size=" + sizeBytes);
  }

  /** Same, with room for so many files and directories, its own root among them. */
  public static MountedFileSystem tmpfs(long sizeBytes, int inodes) throws IOException {
    return tmpfs("size=" + sizeBytes + ",nr_inodes=" + inodes);
  }

  private static MountedFileSystem tmpfs(String options) throws IOException {
    return Skipping.unlessAvailable(
        () -> {
          requireRoot();
          Path root = Files.createTempDirectory("tailwater-tmpfs");
          return mounted(
              root, List.of(), "mount", "-t", "tmpfs", "-o", options, "none", root.toString());
        });
  }

  /** Mounts an empty ext4 on a loop device, with blocks of 1024, 2048 or 4096 bytes. */
  public static MountedFileSystem ext4(long sizeBytes, int blockSizeBytes) throws IOException {
    return Skipping.unlessAvailable(() -> ext4Below(TEMPORARY, sizeBytes, blockSizeBytes));
  }

  /**
   * Same as {@link #ext4}, but not only for tests.
   *
   * @param parent the directory in which the mount point and the image are created
   * @throws UnavailableException if the file system is not available
   */
  public static MountedFileSystem ext4Below(Path parent, long sizeBytes, int blockSizeBytes)
      throws IOException {
    return onLoopDevice(
        parent,
        sizeBytes,
        "ext4",
        "mkfs.ext4",
        "-q",
        "-F",
        "-m",
        "0",
        "-b",
        String.valueOf(blockSizeBytes));
  }

  /**
   * Mounts an empty XFS of at least {@link #MIN_XFS_BYTES} on a loop device, with blocks of 1024 to
   * 4096 bytes.
   */
  public static MountedFileSystem xfs(long sizeBytes, int blockSizeBytes) throws IOException {
    return Skipping.unlessAvailable(() -> xfsBelow(TEMPORARY, sizeBytes, blockSizeBytes));
  }

  /** Same as {@link #xfs}, but not only for tests; see {@link #ext4Below}. */
  public static MountedFileSystem xfsBelow(Path parent, long sizeBytes, int blockSizeBytes)
      throws IOException {
    return onLoopDevice(
        parent, sizeBytes, "xfs", "mkfs.xfs", "-q", "-f", "-b", "size=" + blockSizeBytes);
  }

  private static MountedFileSystem onLoopDevice(
      Path parent, long sizeBytes, String type, String... make) throws IOException {
    requireRoot();
    if (!Command.exists(make[0])) {
      throw new UnavailableException(make[0] + " is not installed");
    }
    Path image = Files.createTempFile(parent, "tailwater-" + type, ".img");
    Command.Result made;
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(sizeBytes);
      made = Command.run(Command.with(make, image.toString()));
    }
    if (!made.succeeded()) {
      Files.delete(image);
    }
    made.requireSuccess();
    Path root = Files.createTempDirectory(parent, "tailwater-" + type);
    return mounted(
        root, List.of(image), "mount", "-t", type, "-o", "loop", image.toString(), root.toString());
  }

  private static MountedFileSystem mounted(Path root, List<Path> images, String... mount)
      throws IOException {
    Command.Result result = Command.run(List.of(mount));
    if (!result.succeeded()) {
      Files.delete(root);
      for (Path image : images) {
        Files.delete(image);
      }
      throw new UnavailableException(result.toString());
    }
    return new MountedFileSystem(root, images);
  }

  private static void requireRoot() throws IOException {
    if (!isRoot()) {
      throw new UnavailableException("only root may mount a file system");
    }
  }

  /** Returns whether this process runs as root; also for tests of refused permissions. */
  public static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }
}
