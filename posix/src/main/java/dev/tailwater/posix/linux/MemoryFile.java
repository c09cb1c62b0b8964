package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.WriteCalls;
import dev.tailwater.posix.binding.Binder;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A file in memory that has a descriptor but no name. It needs no directory, no mount option
 * affects it, and it leaves nothing behind.
 */
final class MemoryFile implements AutoCloseable {
  private static final int MFD_CLOEXEC = 1;

  /**
   * The file is mapped, but never passed to execve(2). If vm.memfd_noexec is 2, the kernel requires
   * this flag.
   */
  private static final int MFD_NOEXEC_SEAL = 8;

  /** The name for messages and /proc/self/maps. */
  private static final String NAME = "tailwater";

  private static final MethodHandle MEMFD_CREATE =
      new Binder().ordinary("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);

  private final ScratchPool scratches = new ScratchPool();
  private final int fd;

  private MemoryFile(int fd) {
    this.fd = fd;
  }

  /**
   * Creates a file with this content.
   *
   * <p>{@code ENOSYS} (before Linux 3.17 or glibc 2.27), {@code EMFILE}, {@code ENFILE}, {@code
   * ENOMEM}, {@code EACCES} (vm.memfd_noexec is 2, but the kernel does not know the flag
   * MFD_NOEXEC_SEAL). On {@code EINVAL} (before Linux 6.3, which does not know the flag), the call
   * is repeated without the flag. May wait for memory.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/memfd_create.2.html">memfd_create(2)</a>
   */
  static MemoryFile of(byte[] content) throws ErrnoException {
    MemoryFile file = new MemoryFile(create());
    boolean written = false;
    try {
      file.write(content);
      written = true;
      return file;
    } finally {
      if (!written) {
        file.close();
      }
    }
  }

  private static int create() throws ErrnoException {
    try (Scratch scratch = new ScratchPool().acquire();
        Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(NAME);
      int fd = create(scratch, name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
      if (fd < 0 && scratch.failedWith(Errno.EINVAL)) {
        fd = create(scratch, name, MFD_CLOEXEC);
      }
      if (fd < 0) {
        throw scratch.failure("memfd_create", NAME);
      }
      return fd;
    }
  }

  private static int create(Scratch scratch, MemorySegment name, int flags) {
    try {
      return (int) MEMFD_CREATE.invokeExact(scratch.errno(), name, flags);
    } catch (Throwable e) {
      throw Binder.unexpected(e);
    }
  }

  private void write(byte[] content) throws ErrnoException {
    WriteCalls calls = new LinuxWriteCalls(scratches);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(content.length);
      bytes.copyFrom(MemorySegment.ofArray(content));
      for (long done = 0; done < content.length; ) {
        done += calls.pwrite(fd, bytes.asSlice(done), done);
      }
    }
  }

  /** Returns a path under which this process can open the file again. Needs a mounted /proc. */
  String path() {
    return "/proc/self/fd/" + fd;
  }

  /** Closes the descriptor, which frees the file unless it is still mapped or open elsewhere. */
  @Override
  public void close() throws ErrnoException {
    new LinuxNameCalls(Platform.current(), scratches).close(fd);
  }
}
