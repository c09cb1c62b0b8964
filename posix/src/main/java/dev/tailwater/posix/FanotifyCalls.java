package dev.tailwater.posix;

import dev.tailwater.posix.value.FanotifyEvent;
import dev.tailwater.posix.value.FileHandle;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Calls of fanotify(7), which watches whole file systems. Events identify the directory by its file
 * handle and the entry by its name. None of the events is a permission event, so other processes
 * are never delayed. Every errno is thrown as an {@link ErrnoException}, except {@code EINTR},
 * which is retried.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/fanotify.7.html">fanotify(7)</a>
 */
public interface FanotifyCalls {
  /**
   * Creates a notification group that reports directory handles and names (FAN_REPORT_DFID_NAME);
   * non-blocking and close-on-exec, with a queue of fs.fanotify.max_queued_events.
   *
   * <p>{@code EINVAL} (before Linux 5.9), {@code EPERM} (before 5.13, without CAP_SYS_ADMIN),
   * {@code EMFILE} (the limit fs.fanotify.max_user_groups or the limit of descriptors is reached),
   * {@code ENOMEM}, {@code ENOSYS} (a kernel without fanotify). Does not wait.
   *
   * @return the descriptor, which the caller closes
   * @see <a href="https://man7.org/linux/man-pages/man2/fanotify_init.2.html">fanotify_init(2)</a>
   */
  int fanotifyInit() throws ErrnoException;

  /**
   * Marks the whole file system of an open file, or adds events to an existing mark.
   *
   * <p>{@code EPERM} (without CAP_SYS_ADMIN in the initial user namespace), {@code EXDEV} (a btrfs
   * subvolume), {@code ENODEV} (the file system has no id, as some FUSE file systems), {@code
   * EOPNOTSUPP} (the file system has no file handles: overlay without nfs_export, proc), {@code
   * EINVAL} (an event that this kernel does not know, such as {@link FanotifyEvent#RENAME} before
   * Linux 5.17), {@code ENOSPC} (the limit fs.fanotify.max_user_marks is reached), {@code EBADF},
   * {@code ENOMEM}, {@code ENOSYS}. May wait for a remote file system, as statfs(2) does.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/fanotify_mark.2.html">fanotify_mark(2)</a>
   */
  void fanotifyMarkFileSystem(int fanotifyFd, int fd, Set<FanotifyEvent> events)
      throws ErrnoException;

  /**
   * Reads complete raw events. Each is a struct fanotify_event_metadata, followed by its
   * information records. Events carry no descriptor.
   *
   * <p>{@code EAGAIN} is returned as 0. {@code EINVAL} (the target is too small for the next event;
   * 1 KiB is enough for any event), {@code EBADF}. Does not wait.
   *
   * @param target native memory
   * @return bytes read; 0 if there is no event
   * @see <a href="https://man7.org/linux/man-pages/man7/fanotify.7.html">fanotify(7)</a>
   */
  int fanotifyRead(int fanotifyFd, MemorySegment target) throws ErrnoException;

  /**
   * Returns the handle of an open file or directory, which stays the same for all names of the file
   * and as long as the file exists. Needs no privilege.
   *
   * <p>{@code EOPNOTSUPP} (the file system has no handles), {@code EOVERFLOW} (the handle is longer
   * than 128 bytes, which no handle on Linux is), {@code EBADF}, {@code EPERM} (a seccomp profile),
   * {@code ENOSYS}. May wait for a remote file system.
   *
   * @see <a
   *     href="https://man7.org/linux/man-pages/man2/name_to_handle_at.2.html">name_to_handle_at(2)</a>
   */
  FileHandle fileHandle(int fd) throws ErrnoException;
}
