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
import java.util.Set;

/** Finds out whether a directory takes writes: creates, syncs and removes a file in it. */
final class WriteProbe {
  private static final PosixPath NAME = PosixPath.of("write-probe");
  private static final int LENGTH_BYTES = 64 << 10;
  private static final int MODE = 0600;

  private final FileCalls calls;
  private final PosixPath directory;

  WriteProbe(FileCalls calls, PosixPath directory) {
    this.calls = calls;
    this.directory = directory;
  }

  /**
   * Returns when the directory takes writes.
   *
   * @throws ErrnoException when it does not
   */
  void run() throws ErrnoException {
    EnumSet<OpenFlag> anew =
        EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW);
    try (Descriptor parent =
            Descriptor.open(calls, NameCalls.AT_FDCWD, directory, Set.of(OpenFlag.DIRECTORY), 0);
        Descriptor file = Descriptor.open(calls, parent.fd(), NAME, anew, MODE)) {
      try {
        write(file.fd());
      } finally {
        calls.unlink(parent.fd(), NAME);
      }
    }
  }

  private void write(int fd) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(LENGTH_BYTES);
      for (long done = 0; done < LENGTH_BYTES; ) {
        done += calls.pwrite(fd, zeros.asSlice(done), done);
      }
    }
    calls.fdatasync(fd);
  }
}
