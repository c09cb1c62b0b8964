package dev.tailwater.posix;

import dev.tailwater.posix.value.MapAdvice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Calls that map files into the memory of this process, and calls on such mappings. Every errno is
 * thrown as an {@link ErrnoException}.
 *
 * <p>If a mapped file is truncated, its mapping contains pages that no file backs any more. Reading
 * such a page raises SIGBUS. The JVM turns it into an {@link InternalError} in its own code, but
 * dies of it in other native code. Never pass a mapped segment to native code other than the calls
 * here.
 */
public interface MapCalls {
  /**
   * Maps a range of a file for reading, shared with every other user of the file. An ordinary
   * downcall that reads nothing. The first access to a page loads it: a page fault in Java code
   * that waits for the disk and delays every safepoint. Use {@link MapAdvice#POPULATE_READ} to load
   * pages in native code instead.
   *
   * <p>{@code EACCES} (not open for reading), {@code ENODEV} (the file system cannot map files,
   * such as FUSE with direct I/O), {@code ENOMEM} (more than vm.max_map_count mappings, or no room
   * in the address space), {@code EINVAL} (the offset is not a multiple of the page size, or the
   * length is 0), {@code EOVERFLOW}, {@code EBADF}, {@code EAGAIN} (memory locks). The message
   * calls it {@code mmap}.
   *
   * @param offsetBytes a multiple of the page size
   * @param lengthBytes at least 1; memory beyond the end of the file must not be read
   * @param arena closing it unmaps the range (munmap(2)); the descriptor may be closed earlier
   * @return the range, read only, with the arena's lifetime and threads
   * @throws IllegalStateException when the arena is closed
   * @see <a href="https://man7.org/linux/man-pages/man2/mmap.2.html">mmap(2)</a>
   */
  MemorySegment map(int fd, long offsetBytes, long lengthBytes, Arena arena) throws ErrnoException;

  /**
   * Advises the kernel how a part of a mapping will be used. An ordinary downcall; only {@link
   * MapAdvice#POPULATE_READ} waits for the disk.
   *
   * <p>{@code EINVAL} (the start is not a multiple of the page size; the kernel does not know the
   * advice), {@code ENOMEM} (not all of it is mapped), {@code EFAULT} (with {@link
   * MapAdvice#POPULATE_READ}: a page has no file behind it any more, or could not be read), {@code
   * EIO}, {@code EAGAIN}, {@code EBADF}. {@code EINTR} is retried.
   *
   * @param mapping a segment, or part of one, from {@link #map} that starts at a page
   * @see <a href="https://man7.org/linux/man-pages/man2/madvise.2.html">madvise(2)</a>
   */
  void madvise(MemorySegment mapping, MapAdvice advice) throws ErrnoException;

  /**
   * Reports which pages of a mapping are in memory and can be read without waiting. Does not wait.
   *
   * <p>For a file that the process neither owns nor may write, Linux (since 5.2) reports every page
   * as in memory, without looking. Check {@link StatusCalls#mayWrite} first.
   *
   * <p>{@code EINVAL} (the start is not a multiple of the page size), {@code ENOMEM} (not all of it
   * is mapped), {@code EFAULT}. {@code EAGAIN} is retried, as mincore(2) asks for.
   *
   * @param mapping a segment, or part of one, from {@link #map} that starts at a page
   * @param target native memory of at least one byte per 4096 bytes, rounded up; bit 0 of each byte
   *     is set if the page (of the kernel's page size) is in memory
   * @throws IllegalArgumentException when {@code target} is too small or heap memory
   * @see <a href="https://man7.org/linux/man-pages/man2/mincore.2.html">mincore(2)</a>
   */
  void mincore(MemorySegment mapping, MemorySegment target) throws ErrnoException;
}
