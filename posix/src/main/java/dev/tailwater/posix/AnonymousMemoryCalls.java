package dev.tailwater.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Calls for anonymous memory, which belongs to no file and no heap. Unlike the memory of an {@link
 * Arena}, it is returned to the kernel at once and without a handshake with all threads, is
 * page-aligned, is not touched before its first use, and does not count against {@code
 * -XX:MaxDirectMemorySize}.
 *
 * <p>Implementations are thread-safe.
 */
public interface AnonymousMemoryCalls {
  /**
   * Maps private memory full of zeros. An ordinary downcall of a few microseconds that waits for
   * nothing: a page takes room when it is first written to.
   *
   * <p>{@code ENOMEM} (no room in the address space or under RLIMIT_AS or RLIMIT_DATA, more than
   * vm.max_map_count mappings, or vm.overcommit_memory forbids it), {@code EAGAIN} (RLIMIT_MEMLOCK
   * with locked memory), {@code EINVAL} (0 bytes). The message calls it {@code mmap}.
   *
   * @param lengthBytes at least 1; what is mapped ends with a page
   * @return the memory, page-aligned, of exactly that length; it lives until {@link #unmap} and no
   *     access to it is checked for that, so it is used through {@linkplain #view views}
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2), MAP_ANONYMOUS</a>
   */
  MemorySegment mapAnonymous(long lengthBytes) throws ErrnoException;

  /**
   * Unmaps memory. An ordinary downcall, which takes time for each used page.
   *
   * <p>{@code EINVAL} (not the start of a page), {@code ENOMEM} (more than vm.max_map_count
   * mappings would be left).
   *
   * @param memory exactly what {@link #mapAnonymous} returned, once. Using it afterwards kills the
   *     JVM, or changes other memory that is mapped there by then
   * @see <a href="https://man7.org/linux/man-pages/man2/munmap.2.html">munmap(2)</a>
   */
  void unmap(MemorySegment memory) throws ErrnoException;

  /**
   * Asks for huge pages (2 MiB on most machines) for memory that is not used yet: fewer page
   * faults, and one or two fewer lookups per random access. This is advice: a kernel without room
   * or support silently uses small pages. An ordinary downcall that does not wait; but the first
   * access to any byte of a huge page fills all of it with zeros, and all of it counts as used.
   *
   * <p>{@code EINVAL} (not the start of a page, or a kernel without transparent huge pages), {@code
   * ENOMEM} (not all of it is mapped). The message calls it {@code madvise}.
   *
   * @param memory what {@link #mapAnonymous} returned, or part of it; only what lies between
   *     multiples of the huge page's size can become huge pages
   * @see <a href="https://man7.org/linux/man-pages/man2/madvise.2.html">madvise(2),
   *     MADV_HUGEPAGE</a>
   */
  void preferHugePages(MemorySegment memory) throws ErrnoException;

  /**
   * Returns the start of the memory as a segment of an arena. No system call.
   *
   * @param lengthBytes at most the size of the memory
   * @throws IndexOutOfBoundsException when it is longer than the memory
   * @throws IllegalStateException when the arena is closed
   */
  MemorySegment view(MemorySegment memory, long lengthBytes, Arena arena);
}
