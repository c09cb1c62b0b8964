package dev.tailwater.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Calls for memory that belongs to no file and no heap. Unlike the memory of an {@link Arena} it is
 * given back to the kernel at once and without a handshake with all threads, starts at a page, is
 * not touched before it is used, and does not count against {@code -XX:MaxDirectMemorySize}.
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
   * Gives memory back. An ordinary downcall; takes time for each page that was used.
   *
   * <p>{@code EINVAL} (not the start of a page), {@code ENOMEM} (more than vm.max_map_count
   * mappings would be left).
   *
   * @param memory exactly what {@link #mapAnonymous} returned, once. Whoever uses it afterwards
   *     kills the JVM, or changes what is mapped there by then
   * @see <a href="https://man7.org/linux/man-pages/man2/munmap.2.html">munmap(2)</a>
   */
  void unmap(MemorySegment memory) throws ErrnoException;

  /**
   * Asks for huge pages (2 MiB on most machines) where the memory is not used yet: fewer page
   * faults, and random accesses that find their page with one look less or two. It is advice: a
   * kernel without room or without huge pages goes on with small ones, and does not say so. An
   * ordinary downcall that waits for nothing; but later a first access to any byte of a huge page
   * makes all of it be filled with zeros, and counted.
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
   * The start of the memory, with the lifetime and the threads of an arena. No system call.
   *
   * @param lengthBytes at most the size of the memory
   * @throws IndexOutOfBoundsException when it is longer than the memory
   * @throws IllegalStateException when the arena is closed
   */
  MemorySegment view(MemorySegment memory, long lengthBytes, Arena arena);
}
