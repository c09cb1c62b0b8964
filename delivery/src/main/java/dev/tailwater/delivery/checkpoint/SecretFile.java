package dev.tailwater.delivery.checkpoint;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;

/** Small files that nobody but their owner may read or write. */
final class SecretFile {
  private static final PosixPath THIS_PROCESS = PosixPath.of("/proc/self");
  private static final int MODE = 0600;
  private static final int ROOT = 0;
  private static final int GROUP_READ = 0040;
  private static final int GROUP_OR_OTHERS_ACCESS = 0066;

  private SecretFile() {}

  /** Thrown when a file cannot hold a secret. The message says why and what to do. */
  static final class UnfitException extends IOException {
    private static final long serialVersionUID = 1L;

    UnfitException(String why) {
      super(why);
    }
  }

  /**
   * Reads a whole file.
   *
   * @param maxBytes how long it may be
   * @throws UnfitException when it is no regular file, is longer, or somebody else than its owner
   *     can read or write it
   * @throws IOException when it cannot be read
   */
  static byte[] read(FileCalls calls, PosixPath path, int maxBytes) throws IOException {
    // Links are followed: that is how Kubernetes mounts secrets.
    try (Descriptor file = Descriptor.openRegularFile(calls, NameCalls.AT_FDCWD, path, Set.of())) {
      FileStatus status = calls.fstat(file.fd());
      requirePrivate(status, status.ownerId() == user(calls));
      if (status.sizeBytes() > maxBytes) {
        throw new UnfitException("has " + status.sizeBytes() + " bytes; a key has fewer");
      }
      return bytes(calls, file, (int) status.sizeBytes());
    } catch (NotARegularFileException e) {
      throw new UnfitException("is not a regular file");
    }
  }

  private static void requirePrivate(FileStatus status, boolean own) throws UnfitException {
    // Secrets that systemd and Kubernetes provide belong to root and are readable by one group.
    boolean provided = status.ownerId() == ROOT;
    if (!own && !provided) {
      throw new UnfitException(
          "belongs to user " + status.ownerId() + ": it must belong to this user or to root");
    }
    int open = status.permissions() & (GROUP_OR_OTHERS_ACCESS & ~(provided ? GROUP_READ : 0));
    if (open != 0) {
      throw new UnfitException(
          "can be read or written by others (mode "
              + String.format("%04o", status.permissions())
              + "): chmod 600 it, and make a new key if others may have read it");
    }
  }

  private static long user(FileCalls calls) throws ErrnoException {
    try (Descriptor self =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, THIS_PROCESS, EnumSet.of(OpenFlag.DIRECTORY), 0)) {
      return calls.fstat(self.fd()).ownerId();
    }
  }

  private static byte[] bytes(FileCalls calls, Descriptor file, int lengthBytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(1, lengthBytes));
      int filled = 0;
      while (filled < lengthBytes) {
        int read = calls.pread(file.fd(), buffer.asSlice(filled, lengthBytes - filled), filled);
        if (read <= 0) {
          throw new UnfitException("became shorter while it was read");
        }
        filled += read;
      }
      byte[] bytes = buffer.asSlice(0, lengthBytes).toArray(ValueLayout.JAVA_BYTE);
      buffer.fill((byte) 0);
      return bytes;
    }
  }

  /** Creates a file durably: after a crash, there is either none or a whole one. */
  static void create(FileCalls calls, PosixPath directoryPath, PosixPath name, byte[] content)
      throws IOException {
    PosixPath temporaryName = PosixPath.of(name.decoded() + ".new");
    EnumSet<OpenFlag> anew =
        EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW);
    try (Descriptor directory =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, directoryPath, EnumSet.of(OpenFlag.DIRECTORY), 0)) {
      try (Descriptor file = Descriptor.open(calls, directory.fd(), temporaryName, anew, MODE)) {
        calls.changeMode(file.fd(), MODE); // Of one that a crash left behind, too.
        write(calls, file, content);
        calls.fsync(file.fd());
      }
      calls.rename(directory.fd(), temporaryName, directory.fd(), name, Set.of());
      calls.fsync(directory.fd());
    }
  }

  private static void write(FileCalls calls, Descriptor file, byte[] bytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(bytes.length);
      buffer.copyFrom(MemorySegment.ofArray(bytes));
      long done = 0;
      while (done < bytes.length) {
        done += calls.pwrite(file.fd(), buffer.asSlice(done), done);
      }
      buffer.fill((byte) 0);
    }
  }
}
