package dev.tailwater.bench.stores;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Advice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Stream;

/** Fills the page cache, and empties it. */
final class PageCaches {
  private static final int READ_BYTES = 1 << 20;
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  private PageCaches() {}

  /** Reads the file to its end. */
  static void fill(Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        // The bytes are not wanted.
      }
    }
  }

  /**
   * Writes back what is dirty, and drops the page cache: all of it when this process is root, else
   * that of the files below the directory. Pages that a process has mapped and touched stay.
   */
  static void drop(Path directory) throws IOException, InterruptedException {
    if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
      throw new IOException("sync failed");
    }
    if (Files.isWritable(DROP)) {
      Files.writeString(DROP, "1");
      return;
    }
    FileCalls calls = LinuxFileCalls.create();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (Descriptor descriptor =
            Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
          calls.fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
        }
      }
    }
  }
}
