package dev.tailwater.io.mount;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What /proc says of this process. Texts come as ISO-8859-1, so that each byte of a path is kept.
 * Where /proc is not mounted or hidden, they are empty; any other error is thrown.
 */
final class ProcFiles {
  private static final Set<Errno> NOT_THERE =
      EnumSet.of(Errno.ENOENT, Errno.ENOTDIR, Errno.EACCES, Errno.EPERM);
  private static final int READ_BYTES = 64 * 1024;

  private final FileCalls calls;
  private final PosixPath directory;

  ProcFiles(FileCalls calls) {
    this(calls, PosixPath.of("/proc/self"));
  }

  ProcFiles(FileCalls calls, PosixPath directory) {
    this.calls = calls;
    this.directory = directory;
  }

  /** See proc_pid_mountinfo(5). */
  Optional<String> mountInfo() throws ErrnoException {
    return text("mountinfo");
  }

  /** See proc_pid_mountstats(5); empty text when it is not there. */
  String mountStatistics() throws ErrnoException {
    return text("mountstats").orElse("");
  }

  /** See proc_pid_fdinfo(5). */
  Optional<String> descriptor(int fd) throws ErrnoException {
    return text("fdinfo/" + fd);
  }

  /** Where an open file lies now; what it leads to is no path when the file was deleted. */
  Optional<PosixPath> pathOf(int fd) throws ErrnoException {
    try {
      return Optional.of(calls.readLink(NameCalls.AT_FDCWD, directory.resolve("fd/" + fd)));
    } catch (ErrnoException e) {
      return ifNotThere(e);
    }
  }

  private Optional<String> text(String name) throws ErrnoException {
    int fd;
    try {
      fd = calls.open(NameCalls.AT_FDCWD, directory.resolve(name), Set.of(), 0);
    } catch (ErrnoException e) {
      return ifNotThere(e);
    }
    try {
      return Optional.of(readAll(fd));
    } finally {
      calls.close(fd);
    }
  }

  private static <T> Optional<T> ifNotThere(ErrnoException e) throws ErrnoException {
    if (NOT_THERE.contains(e.errno())) {
      return Optional.empty();
    }
    throw e;
  }

  private String readAll(int fd) throws ErrnoException {
    // The size of a file in /proc is 0, so only reading to the end tells.
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(READ_BYTES);
      for (int count = calls.pread(fd, target, 0);
          count > 0;
          count = calls.pread(fd, target, all.size())) {
        all.writeBytes(target.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }
}
