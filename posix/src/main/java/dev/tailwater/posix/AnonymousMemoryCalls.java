package dev.tailwater.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Calls for anonymous memory, which belongs neither to a file nor to the Java heap.
 *
 * <p>Unlike the memory of an {@link Arena}, it returns to the kernel as soon as it is unmapped,
 * without a handshake with all threads. It is page-aligned, uses no physical memory before its
 * first use, and does not count against {@code -XX:MaxDirectMemorySize}.
 *
 * <p>Implementations are thread-safe.
 */
public interface AnonymousMemoryCalls {
  /**
   * Maps private, zero-filled memory. An ordinary downcall of a few microseconds that does not
   * wait. A page takes physical memory when it is first written to.
   *
   * <p>{@code ENOMEM} (no room in the address space or under RLIMIT_AS or RLIMIT_DATA, more than
   * vm.max_map_count mappings, or vm.overcommit_memory forbids it), {@code EAGAIN} (RLIMIT_MEMLOCK
   * with locked memory), {@code EINVAL} (0 bytes). The message calls it {@code mmap}.
   *
   * @param lengthBytes at least 1; the kernel rounds it up to whole pages
   * @return the memory, page-aligned and of exactly that length. It is valid until {@link #unmap},
   *     and no access is checked against that, so access it through {@linkplain #view views}
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2), MAP_ANONYMOUS</a>
   */
  MemorySegment mapAnonymous(long lengthBytes) throws ErrnoException;

  /**
   * Unmaps memory. An ordinary downcall, which takes time for each used page.
   *
   * <p>{@code EINVAL} (not the start of a page), {@code ENOMEM} (more than vm.max_map_count
   * mappings would be left).
   *
   * @param memory exactly what {@link #mapAnonymous} returned; unmap it only once. An access
   *     afterwards kills the JVM or changes other memory that has been mapped there since
   * @see <a href="https://man7.org/linux/man-pages/man2/munmap.2.html">munmap(2)</a>
   */
  void unmap(MemorySegment memory) throws ErrnoException;

  /**
   * Requests huge pages (2 MiB on most machines) for memory that is not used yet. They cause fewer
   * page faults, and one or two fewer lookups per random access. This is only advice: a kernel
   * without free huge pages or support for them silently uses small pages. An ordinary downcall
   * that does not wait. The first access to any byte of a huge page fills the whole page with
   * zeros, and the whole page counts as used.
   *
   * <p>{@code EINVAL} (not the start of a page, or a kernel without transparent huge pages), {@code
   * ENOMEM} (not all of it is mapped). The message calls it {@code madvise}.
   *
   * @param memory what {@link #mapAnonymous} returned, or part of it; only aligned blocks of the
   *     huge page size within it can become huge pages
   * @see <a href="https://man7.org/linux/man-pages/man2/madvise.2.html">madvise(2),
   *     MADV_HUGEPAGE</a>
   */
  void preferHugePages(MemorySegment memory) throws ErrnoException;

  /**
   * Returns the start of the memory as a segment of an arena. Makes no system call.
   *
   * @param lengthBytes at most the size of the memory
   * @throws IndexOutOfBoundsException when it is longer than the memory
   * @throws IllegalStateException when the arena is closed
   */
  MemorySegment view(MemorySegment memory, long lengthBytes, Arena arena);
}
