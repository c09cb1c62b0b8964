package dev.tailwater.posix.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A file system that a test mounted. Closing it unmounts it and deletes its disk image, if it has
 * one.
 */
public final class MountedFileSystem implements AutoCloseable {
  private static final int MOST_AGAIN = 50;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path root;
  private final List<Path> images;

  MountedFileSystem(Path root, List<Path> images) {
    this.root = root;
    this.images = new ArrayList<>(images);
  }

  /** Returns the mount point. */
  public Path root() {
    return root;
  }

  /** Returns {@link #root()} as a path for file calls. */
  public PosixPath path() {
    return PosixPath.of(root);
  }

  /** Returns the requests to the device. Only for a file system on a device. */
  public DiskStatistics diskStatistics() throws IOException {
    return DiskStatistics.of(root);
  }

  /** Remounts read-only: changes fail with EROFS. */
  public void remountReadOnly() throws IOException {
    remount("ro");
  }

  /** Remounts writable. */
  public void remountWritable() throws IOException {
    remount("rw");
  }

  private void remount(String mode) throws IOException {
    Command.run(List.of("mount", "-o", "remount," + mode, root.toString())).requireSuccess();
  }

  /**
   * Simulates a power failure: nothing reaches the device any more, not even data that is in
   * memory, and every call that needs the device fails. Only for a file system on a device.
   *
   * @see <a href="https://man7.org/linux/man-pages/man8/xfs_io.8.html">xfs_io(8)</a>, shutdown,
   *     which ext4 supports too
   */
  public void cutPower() throws IOException {
    assumeTrue(Command.exists("xfs_io"), "xfs_io is not installed");
    Command.run(List.of("xfs_io", "-x", "-c", "shutdown", root.toString())).requireSuccess();
  }

  /**
   * Detaches the disk and attaches it as another device at another mount point. This object is then
   * closed; close the returned one instead.
   */
  public MountedFileSystem attachElsewhere() throws IOException {
    Path elsewhere = Files.createTempDirectory("tailwater-elsewhere");
    // Attached while the first device still is, so that it cannot be the same one.
    Command.Result attached =
        Command.run(List.of("losetup", "--find", "--show", images.getFirst().toString()));
    attached.requireSuccess();
    String device = attached.output().strip();
    try {
      Command.run(List.of("umount", root.toString())).requireSuccess();
      Files.delete(root);
      Command.run(List.of("mount", device, elsewhere.toString())).requireSuccess();
      return new MountedFileSystem(elsewhere, images);
    } finally {
      // While it is mounted, this detaches it when it is unmounted.
      Command.run(List.of("losetup", "--detach", device)).requireSuccess();
    }
  }

  /** Copies the disk, as it is now. {@link #close} deletes the copy. */
  public Path copyDisk() throws IOException {
    Path image = images.getFirst();
    Path copy = image.resolveSibling(image.getFileName() + "-" + images.size());
    Command.run(List.of("sync", "--file-system", root.toString())).requireSuccess();
    Files.copy(image, copy);
    images.add(copy);
    return copy;
  }

  /** Takes the disk away, also from those who have files open. */
  public void takeDisk() throws IOException {
    Command.run(List.of("umount", "--lazy", root.toString())).requireSuccess();
  }

  /** Mounts a copy in the place of the disk: the same files on another device. */
  public void mountCopy(Path copy) throws IOException {
    Command.run(List.of("mount", "-o", "loop", copy.toString(), root.toString())).requireSuccess();
  }

  /**
   * Unmounts and deletes the file system. Fails if a file stays open; the file system then goes
   * away when the last file is closed.
   */
  @Override
  public void close() throws IOException {
    Command.Result result = unmount();
    if (!result.succeeded()) {
      Command.run(List.of("umount", "--lazy", root.toString())).requireSuccess();
    }
    Files.delete(root);
    for (Path image : images) {
      Files.delete(image);
    }
    result.requireSuccess();
  }

  /** A socket that was closed is let go by the thread that waits on it, a moment later. */
  private Command.Result unmount() throws IOException {
    Command.Result result = Command.run(List.of("umount", root.toString()));
    for (int again = 0; again < MOST_AGAIN && isBusy(result); again++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      result = Command.run(List.of("umount", root.toString()));
    }
    return result;
  }

  private static boolean isBusy(Command.Result unmounted) {
    return !unmounted.succeeded() && unmounted.output().contains("busy");
  }
}
