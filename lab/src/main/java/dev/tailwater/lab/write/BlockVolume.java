package dev.tailwater.lab.write;

import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file system to write to: the one that is measured, or one on a loop device, whose reads are
 * counted exactly because nothing else uses it.
 *
 * @param kind {@code ext4, 4 KiB blocks}
 */
record BlockVolume(
    String name, String kind, int blockBytes, BlockFile file, Optional<MountedFileSystem> mounted)
    implements AutoCloseable {

  /** Returns the file system of the laboratory's directory. */
  static BlockVolume ofDirectory(Laboratory laboratory, long fileBytes) throws IOException {
    MountInfo mount = MountInfo.of(laboratory.calls(), PosixPath.of(laboratory.directory()));
    int blockBytes = (int) mount.blockSizeBytes();
    String kind = kind(mount.fileSystemType(), blockBytes);
    DiskReads.Counter counter = DiskReads.ofThisThread(laboratory.calls(), laboratory.directory());
    BlockFile file = new BlockFile(laboratory.calls(), laboratory.directory(), counter, fileBytes);
    return new BlockVolume("the directory: " + kind, kind, blockBytes, file, Optional.empty());
  }

  /**
   * Creates a file system on a loop device.
   *
   * @throws dev.tailwater.posix.testkit.UnavailableException if this is not possible here
   */
  static BlockVolume onLoop(Laboratory laboratory, LoopKind wanted, long fileBytes)
      throws IOException {
    MountedFileSystem mounted =
        Uninterrupted.call(() -> wanted.mount(laboratory.directory(), fileBytes));
    try {
      BlockFile file =
          new BlockFile(
              laboratory.calls(), mounted.root(), DiskReads.ofDevice(mounted.root()), fileBytes);
      String kind = kind(wanted.type(), wanted.blockBytes());
      return new BlockVolume(
          "loop: " + kind, kind, wanted.blockBytes(), file, Optional.of(mounted));
    } catch (IOException | RuntimeException e) {
      Uninterrupted.run(mounted::close);
      throw e;
    }
  }

  /** The kind of a file system to create on a loop device. */
  record LoopKind(String type, int blockBytes) {
    static final LoopKind EXT4_4_KIB = new LoopKind("ext4", 4096);
    static final LoopKind EXT4_2_KIB = new LoopKind("ext4", 2048);
    static final LoopKind XFS_4_KIB = new LoopKind("xfs", 4096);

    /** The space for the journal of ext4, and for files whose size changes. */
    private static final long ROOM_BYTES = 64 << 20;

    MountedFileSystem mount(Path parent, long fileBytes) throws IOException {
      return type.equals("xfs")
          ? TestFileSystems.xfsBelow(
              parent, TestFileSystems.MIN_XFS_BYTES + 3 * fileBytes, blockBytes)
          : TestFileSystems.ext4Below(parent, ROOM_BYTES + 3 * fileBytes, blockBytes);
    }

    String words() {
      return kind(type, blockBytes);
    }
  }

  private static String kind(String type, int blockBytes) {
    return "%s, %s blocks".formatted(type, Figures.size(blockBytes));
  }

  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      if (mounted.isPresent()) {
        Uninterrupted.run(mounted.get()::close);
      }
    }
  }
}
