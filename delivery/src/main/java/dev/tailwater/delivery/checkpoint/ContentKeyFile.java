package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.NotARegularFileException;
import dev.tailwater.posix.Errno;
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
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** A file that holds a {@link ContentKey}: its bytes and nothing else. */
public final class ContentKeyFile {
  /** The file in the state directory. */
  public static final PosixPath NAME = PosixPath.of("content-check.key");

  private static final PosixPath TEMPORARY_NAME = PosixPath.of("content-check.key.new");
  private static final PosixPath THIS_PROCESS = PosixPath.of("/proc/self");
  private static final int MODE = 0600;
  private static final int ROOT = 0;
  private static final int GROUP_READ = 0040;
  private static final int GROUP_OR_OTHERS_ACCESS = 0066;

  private ContentKeyFile() {}

  /** Thrown when a file cannot serve as a key. The message says why and what to do. */
  public static final class UnfitException extends IOException {
    private static final long serialVersionUID = 1L;

    UnfitException(PosixPath path, String why) {
      super("content key " + path + " " + why);
    }
  }

  /**
   * Reads a key that exists.
   *
   * @throws UnfitException when it is no regular file, has another length, or somebody else than
   *     its owner can read or write it
   * @throws IOException when it cannot be read
   */
  public static ContentKey read(FileCalls calls, PosixPath path) throws IOException {
    // Links are followed: that is how Kubernetes mounts secrets.
    try (Descriptor file = Descriptor.openRegularFile(calls, NameCalls.AT_FDCWD, path, Set.of())) {
      FileStatus status = calls.fstat(file.fd());
      requirePrivate(path, status, status.ownerId() == user(calls));
      if (status.sizeBytes() != ContentKey.KEY_BYTES) {
        throw wrongLength(path, status.sizeBytes());
      }
      return ContentKey.of(bytes(calls, file, path));
    } catch (NotARegularFileException e) {
      throw new UnfitException(path, "is not a regular file");
    }
  }

  /** Reads the key in a state directory; makes a random one there if there is none. */
  public static ContentKey readOrCreate(
      FileCalls calls, PosixPath stateDirectory, SecureRandom random) throws IOException {
    try {
      return read(calls, stateDirectory.resolve(NAME));
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    create(calls, stateDirectory, random);
    return read(calls, stateDirectory.resolve(NAME));
  }

  private static void requirePrivate(PosixPath path, FileStatus status, boolean own)
      throws UnfitException {
    // Secrets that systemd and Kubernetes provide belong to root and are readable by one group.
    boolean provided = status.ownerId() == ROOT;
    if (!own && !provided) {
      throw new UnfitException(
          path, "belongs to user " + status.ownerId() + ": it must belong to this user or to root");
    }
    int open = status.permissions() & (GROUP_OR_OTHERS_ACCESS & ~(provided ? GROUP_READ : 0));
    if (open != 0) {
      throw new UnfitException(
          path,
          "can be read or written by others (mode "
              + String.format("%04o", status.permissions())
              + "): chmod 600 it, and make a new key if others may have read it");
    }
  }

  private static UnfitException wrongLength(PosixPath path, long lengthBytes) {
    return new UnfitException(
        path,
        "has "
            + lengthBytes
            + " bytes instead of "
            + ContentKey.KEY_BYTES
            + ": make one with 'head -c "
            + ContentKey.KEY_BYTES
            + " /dev/urandom'");
  }

  private static long user(FileCalls calls) throws ErrnoException {
    try (Descriptor self =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, THIS_PROCESS, EnumSet.of(OpenFlag.DIRECTORY), 0)) {
      return calls.fstat(self.fd()).ownerId();
    }
  }

  private static byte[] bytes(FileCalls calls, Descriptor file, PosixPath path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(ContentKey.KEY_BYTES);
      int filled = 0;
      while (filled < ContentKey.KEY_BYTES) {
        int read = calls.pread(file.fd(), buffer.asSlice(filled), filled);
        if (read <= 0) {
          throw wrongLength(path, filled);
        }
        filled += read;
      }
      byte[] bytes = buffer.toArray(ValueLayout.JAVA_BYTE);
      buffer.fill((byte) 0);
      return bytes;
    }
  }

  /** Creates the key durably: after a crash, there is either no key or a whole one. */
  private static void create(FileCalls calls, PosixPath stateDirectory, SecureRandom random)
      throws IOException {
    EnumSet<OpenFlag> anew =
        EnumSet.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE, OpenFlag.TRUNCATE, OpenFlag.NO_FOLLOW);
    try (Descriptor directory =
        Descriptor.open(
            calls, NameCalls.AT_FDCWD, stateDirectory, EnumSet.of(OpenFlag.DIRECTORY), 0)) {
      try (Descriptor file = Descriptor.open(calls, directory.fd(), TEMPORARY_NAME, anew, MODE)) {
        calls.changeMode(file.fd(), MODE); // Of one that a crash left behind, too.
        byte[] bytes = ContentKey.generate(random);
        write(calls, file, bytes);
        Arrays.fill(bytes, (byte) 0);
        calls.fsync(file.fd());
      }
      calls.rename(directory.fd(), TEMPORARY_NAME, directory.fd(), NAME, Set.of());
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
