package dev.tailwater.posix;

import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls of inotify(7), eventfd(2) and poll(2). Every errno is thrown as an {@link ErrnoException},
 * except {@code EINTR}, which is retried. Only {@link #pollReadable} waits.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/inotify.7.html">inotify(7)</a>
 */
public interface WatchCalls {
  /**
   * Creates an inotify instance, non-blocking and close-on-exec.
   *
   * <p>{@code EMFILE} (the limit fs.inotify.max_user_instances or the limit of descriptors is
   * reached), {@code ENFILE}, {@code ENOMEM}.
   *
   * @return the descriptor, which the caller closes
   * @see <a href="https://man7.org/linux/man-pages/man2/inotify_init.2.html">inotify_init1(2)</a>
   */
  int inotifyInit() throws ErrnoException;

  /**
   * Adds a watch for a file or a directory, or changes the events of an existing one: an inode has
   * only one watch, whatever its names.
   *
   * <p>{@code ENOSPC} (the limit fs.inotify.max_user_watches is reached), {@code ENOENT}, {@code
   * ENOTDIR} (also with {@link WatchEvent#ONLY_DIRECTORY}), {@code EACCES} (the process may not
   * read it), {@code ELOOP}, {@code ENAMETOOLONG}, {@code EBADF}, {@code EINVAL} (no event
   * requested, or not an inotify descriptor), {@code ENOMEM}.
   *
   * @return the watch descriptor, by which events name the watch
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/inotify_add_watch.2.html">inotify_add_watch(2)</a>
   */
  int inotifyAddWatch(int inotifyFd, PosixPath path, Set<WatchEvent> events) throws ErrnoException;

  /**
   * Removes a watch. The kernel queues an IN_IGNORED event, as it does when the watched file is
   * deleted or its file system is unmounted.
   *
   * <p>{@code EINVAL} (no such watch: the kernel may have removed it), {@code EBADF}.
   *
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/inotify_rm_watch.2.html">inotify_rm_watch(2)</a>
   */
  void inotifyRemoveWatch(int inotifyFd, int watchDescriptor) throws ErrnoException;

  /**
   * Reads complete raw events. Each is a struct inotify_event with its name. Does not wait.
   *
   * <p>{@code EAGAIN} is returned as 0. {@code EINVAL} (the target is too small for the next event;
   * 272 bytes are enough for any event), {@code EBADF}.
   *
   * @param target native memory
   * @return bytes read; 0 if there is no event
   * @see <a href="https://man7.org/linux/man-pages/man7/inotify.7.html">inotify(7)</a>
   */
  int inotifyRead(int inotifyFd, MemorySegment target) throws ErrnoException;

  /**
   * Creates an event counter that can wake a {@link #pollReadable}; non-blocking and close-on-exec.
   *
   * <p>{@code EMFILE}, {@code ENFILE}, {@code ENOMEM}.
   *
   * @return the descriptor, which the caller closes
   * @see <a href="https://man7.org/linux/man-pages/man2/eventfd.2.html">eventfd(2)</a>
   */
  int eventFd() throws ErrnoException;

  /**
   * Makes the counter readable until it is cleared. Several signals count as one. Any thread may
   * call this.
   *
   * <p>{@code EAGAIN} (the counter is at its maximum) counts as success. {@code EBADF}.
   */
  void signalEventFd(int eventFd) throws ErrnoException;

  /**
   * Clears all signals sent so far, if any.
   *
   * <p>{@code EAGAIN} (there were none) counts as success. {@code EBADF}.
   */
  void clearEventFd(int eventFd) throws ErrnoException;

  /**
   * Waits until one of the descriptors is readable: it has data, is at its end, or has an error.
   * Blocks the thread; a virtual thread blocks its carrier.
   *
   * <p>{@code EBADF} (one is not open; the message names it), {@code EINVAL} (more descriptors than
   * the process may open), {@code ENOMEM}. {@code EINTR} is retried with the remaining time.
   *
   * @param fds at most 64; negative ones are ignored
   * @param timeoutMillis 0 returns at once, a negative value waits forever
   * @return a set bit {@code i} for each readable {@code fds[i]}; 0 on timeout
   * @throws IllegalArgumentException if there are more than 64
   * @see <a href="https://man7.org/linux/man-pages/man2/poll.2.html">poll(2)</a>
   */
  default long pollReadable(int[] fds, int timeoutMillis) throws ErrnoException {
    return pollReadable(fds, 0, timeoutMillis);
  }

  /**
   * Same as {@link #pollReadable(int[], int)}, but some descriptors are waited for not until they
   * are readable, but until something exceptional happens (POLLPRI): to /proc/self/mountinfo, that
   * the mounts have changed since the last such wait.
   *
   * @param exceptional a set bit {@code i} for each such {@code fds[i]}
   */
  long pollReadable(int[] fds, long exceptional, int timeoutMillis) throws ErrnoException;
}
