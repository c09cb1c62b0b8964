package dev.tailwater.lab.measure;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.CacheResidency;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Stream;

/** Methods that fill and empty the page cache. */
public final class PageCaches {
  private static final int READ_BYTES = 1 << 20;
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  private PageCaches() {}

  /** Reads a file to its end. */
  public static void fill(Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // The bytes are not needed.
      }
    }
  }

  /**
   * Writes back dirty pages, and drops the page cache: all of it if this process is root, otherwise
   * that of the files below the directory. Pages that a process has mapped and touched stay.
   */
  public static void drop(Path directory) throws IOException, InterruptedException {
    if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
      throw new IOException("sync failed");
    }
    if (mayDropAll()) {
      Files.writeString(DROP, "1");
    } else {
      advise(directory);
    }
  }

  /** Returns whether this process may drop the kernel's cache of all files; root may. */
  public static boolean mayDropAll() {
    return Files.isWritable(DROP);
  }

  /**
   * Drops the names and inodes that the kernel has cached and nobody uses; only if {@link
   * #mayDropAll}. Slows down the whole machine for a moment.
   */
  public static void dropEntries() throws IOException {
    Files.writeString(DROP, "2");
  }

  /** Writes back dirty pages of the files below the directory, which cannot be dropped before. */
  public static void sync(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Descriptor descriptor = open(file)) {
          descriptor.calls().fdatasync(descriptor.fd());
        }
      }
    }
  }

  /** Drops the clean pages of the files below the directory from the page cache. */
  public static void advise(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Descriptor descriptor = open(file)) {
          descriptor.calls().fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
        }
      }
    }
  }

  /** Returns the share of the files below the directory that is in the page cache, from 0 to 1. */
  public static double residentShare(Path directory) throws IOException {
    long pages = 0;
    long resident = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Descriptor descriptor = open(file)) {
          PageCache cache = PageCache.of(descriptor);
          CacheResidency found = cache.residency(cache.wholeFile());
          pages += found.pages();
          resident += found.residentPages().orElseThrow();
        }
      }
    }
    return resident / (double) Math.max(1, pages);
  }

  private static Descriptor open(Path file) throws IOException {
    return Descriptor.openRegularFile(
        LinuxFileCalls.create(), FileCalls.AT_FDCWD, PosixPath.of(file), Set.of());
  }
}
