package dev.tailwater.posix.testkit;

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
