package dev.tailwater.posix;

import java.util.List;

/**
 * Calls on the extended attributes of open files and directories: names with a namespace ({@code
 * user.comment}) and values of any bytes. POSIX ACLs are the attributes {@code
 * system.posix_acl_access} and {@code system.posix_acl_default}.
 *
 * <p>A name is a text of one character for each byte (ISO 8859-1), 1 to {@link #MAX_NAME_BYTES}.
 * All calls are ordinary downcalls that may wait for the file system.
 *
 * <p>Every errno is thrown as an {@link ErrnoException}. All calls can throw: {@code EOPNOTSUPP} (a
 * file system without attributes, or without this namespace), {@code EBADF} (not open, or opened
 * with {@link dev.tailwater.posix.value.OpenFlag#PATH}), {@code EACCES} and {@code EPERM} (not
 * permitted), {@code ENOMEM}, {@code EIO}, {@code ESTALE}. {@code EINTR} is retried.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/xattr.7.html">xattr(7)</a>
 */
public interface AttributeCalls {
  /** XATTR_NAME_MAX of Linux. */
  int MAX_NAME_BYTES = 255;

  /** XATTR_SIZE_MAX of Linux. */
  int MAX_VALUE_BYTES = 64 * 1024;

  /**
   * Returns the names of all attributes that the caller may see, in the order of the file system.
   * Names are added and removed while it works: each is there or not.
   *
   * <p>Adds: {@code E2BIG} (all names together take more than 64 KiB).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/listxattr.2.html">flistxattr(2)</a>
   */
  List<String> attributeNames(int fd) throws ErrnoException;

  /**
   * Returns the value of an attribute.
   *
   * <p>Adds: {@code ENODATA} (there is no such attribute), {@code E2BIG} (a file system that keeps
   * values of more than 64 KiB).
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/getxattr.2.html">fgetxattr(2)</a>
   */
  byte[] attribute(int fd, String name) throws ErrnoException;

  /**
   * Creates an attribute, or gives it another value.
   *
   * <p>Adds: {@code ENOSPC} and {@code EDQUOT} (no room, which on ext4 may mean no room in one
   * block), {@code E2BIG} and {@code ERANGE} (a name or value that is too long), {@code EINVAL}
   * (not a value of this attribute), {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/setxattr.2.html">fsetxattr(2)</a>
   */
  void setAttribute(int fd, String name, byte[] value) throws ErrnoException;

  /**
   * Removes an attribute. A file that has no ACL has nothing to remove, and that succeeds.
   *
   * <p>Adds: {@code ENODATA} (there is no such attribute), {@code EROFS}.
   *
   * @see <a href="https://man7.org/linux/man-pages/man2/removexattr.2.html">fremovexattr(2)</a>
   */
  void removeAttribute(int fd, String name) throws ErrnoException;
}
