package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** Finds out whether a directory can be written to, by a file that exists for that moment only. */
final class WriteCheck {
  private static final PosixPath NAME = PosixPath.of("write-check");
  private static final int MODE = 0600;
  private static final int LENGTH_BYTES = 64 << 10;

  private WriteCheck() {}

  /**
   * Writes some bytes durably, and removes them.
   *
   * @throws ErrnoException when that fails, as on a full disk
   */
  static void run(FileCalls calls, PosixPath directoryPath) throws ErrnoException {
    EnumSet<OpenFlag> anew =
        EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW);
    try (Descriptor directory =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, directoryPath, EnumSet.of(OpenFlag.DIRECTORY), 0)) {
      try (Descriptor file = Descriptor.open(calls, directory.fd(), NAME, anew, MODE)) {
        write(calls, file.fd());
        calls.fdatasync(file.fd());
      } finally {
        calls.unlink(directory.fd(), NAME);
      }
    }
  }

  private static void write(FileCalls calls, int fd) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(LENGTH_BYTES);
      long done = 0;
      while (done < LENGTH_BYTES) {
        done += calls.pwrite(fd, zeros.asSlice(done), done);
      }
    }
  }
}
