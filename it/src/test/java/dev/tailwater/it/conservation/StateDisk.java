package dev.tailwater.it.conservation;

import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A small disk that holds the state of agents, and is filled and freed by a test. */
final class StateDisk implements AutoCloseable {
  private static final long BYTES = 48L << 20;
  private static final int INODES = 400;
  private static final int PAGE_BYTES = 4096;

  private final MountedFileSystem disk;
  private final Path ballast;

  /** What the disk has too little of. */
  enum Room {
    BYTES,
    INODES
  }

  /**
   * What is left on a full disk.
   *
   * @param left so many pages, or inodes, that somebody can still have
   */
  record Lack(Room of, int left) {}

  private StateDisk(MountedFileSystem disk, Path ballast) {
    this.disk = disk;
    this.ballast = ballast;
  }

  static StateDisk mount() throws IOException {
    MountedFileSystem disk = TestFileSystems.tmpfs(BYTES, INODES);
    return new StateDisk(disk, Files.createDirectory(disk.root().resolve("ballast")));
  }

  /** The state directory, which may be missing. */
  Path state() {
    return disk.root().resolve("state");
  }

  /** Takes all but what is to be left. */
  void fill(Lack lack) throws IOException {
    free();
    if (lack.of() == Room.BYTES) {
      fillBytes(lack.left());
    } else {
      fillInodes(lack.left());
    }
  }

  private void fillBytes(int pagesLeft) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast.resolve("bytes"))) {
      long left = Files.getFileStore(ballast).getUsableSpace() - (long) pagesLeft * PAGE_BYTES;
      byte[] page = new byte[PAGE_BYTES];
      for (long at = 0; at < left; at += PAGE_BYTES) {
        if (!wasTaken(() -> out.write(page))) {
          return; // The agent has taken some, too.
        }
      }
    }
  }

  private void fillInodes(int inodesLeft) throws IOException {
    int taken = 0;
    while (takesInode(taken)) {
      taken++;
    }
    for (int i = Math.max(0, taken - inodesLeft); i < taken; i++) {
      Files.delete(inode(i));
    }
  }

  private Path inode(int number) {
    return ballast.resolve("inode-" + number);
  }

  private boolean takesInode(int number) throws IOException {
    return wasTaken(() -> Files.createFile(inode(number)));
  }

  private interface Taking {
    void take() throws IOException;
  }

  private static boolean wasTaken(Taking taking) throws IOException {
    try {
      taking.take();
      return true;
    } catch (IOException e) {
      if (e.getMessage() != null && e.getMessage().contains("No space left on device")) {
        return false;
      }
      throw e;
    }
  }

  /** Gives back what {@link #fill} took. */
  void free() throws IOException {
    List<Path> taken;
    try (Stream<Path> all = Files.list(ballast)) {
      taken = all.toList();
    }
    for (Path file : taken) {
      Files.delete(file);
    }
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
