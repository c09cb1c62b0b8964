package dev.tailwater.posix;

import java.util.Arrays;

/**
 * The Linux errno values that the program distinguishes; the numbers are the same on x86-64 and
 * aarch64.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/errno.3.html">errno(3)</a>
 */
public enum Errno {
  EPERM(1, "Operation not permitted"),
  ENOENT(2, "No such file or directory"),
  ESRCH(3, "No such process"),
  EINTR(4, "Interrupted system call"),
  EIO(5, "Input/output error"),
  ENXIO(6, "No such device or address"),
  E2BIG(7, "Argument list too long"),
  EBADF(9, "Bad file descriptor"),
  EAGAIN(11, "Resource temporarily unavailable"),
  ENOMEM(12, "Cannot allocate memory"),
  EACCES(13, "Permission denied"),
  EFAULT(14, "Bad address"),
  EBUSY(16, "Device or resource busy"),
  EEXIST(17, "File exists"),
  EXDEV(18, "Invalid cross-device link"),
  ENODEV(19, "No such device"),
  ENOTDIR(20, "Not a directory"),
  EISDIR(21, "Is a directory"),
  EINVAL(22, "Invalid argument"),
  ENFILE(23, "Too many open files in system"),
  EMFILE(24, "Too many open files"),
  ENOTTY(25, "Inappropriate ioctl for device"),
  ETXTBSY(26, "Text file busy"),
  EFBIG(27, "File too large"),
  ENOSPC(28, "No space left on device"),
  ESPIPE(29, "Illegal seek"),
  EROFS(30, "Read-only file system"),
  EMLINK(31, "Too many links"),
  EPIPE(32, "Broken pipe"),
  ERANGE(34, "Numerical result out of range"),
  ENAMETOOLONG(36, "File name too long"),
  ENOLCK(37, "No locks available"),
  ENOSYS(38, "Function not implemented"),
  ENOTEMPTY(39, "Directory not empty"),
  ELOOP(40, "Too many levels of symbolic links"),
  EBADR(53, "Invalid request descriptor"),
  ENODATA(61, "No data available"),
  EOVERFLOW(75, "Value too large for defined data type"),
  EOPNOTSUPP(95, "Operation not supported"),
  ENOTCONN(107, "Transport endpoint is not connected"),
  ETIMEDOUT(110, "Connection timed out"),
  EHOSTDOWN(112, "Host is down"),
  ESTALE(116, "Stale file handle"),
  EUCLEAN(117, "Structure needs cleaning"),
  EREMOTEIO(121, "Remote I/O error"),
  EDQUOT(122, "Disk quota exceeded"),
  ECANCELED(125, "Operation canceled"),
  /** Any value that is not listed here; the exception has the number. */
  OTHER(-1, "see errno(3)");

  private static final Errno[] BY_NUMBER = byNumber();

  private final int number;
  private final String text;

  Errno(int number, String text) {
    this.number = number;
    this.text = text;
  }

  private static Errno[] byNumber() {
    Errno[] table = new Errno[128];
    Arrays.fill(table, OTHER);
    for (Errno errno : values()) {
      if (errno != OTHER) {
        table[errno.number] = errno;
      }
    }
    return table;
  }

  /** Returns the number that the kernel uses; -1 for {@link #OTHER}. */
  public int number() {
    return number;
  }

  /** Returns the text of strerror(3) in the C locale, whatever the locale of the process. */
  public String text() {
    return text;
  }

  /** Returns the constant of a number, or {@link #OTHER}. */
  public static Errno of(int number) {
    return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : OTHER;
  }
}
