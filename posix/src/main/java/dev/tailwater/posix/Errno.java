package dev.tailwater.posix;

/** The Linux errno values that are told apart here; numbers are the same on x86-64 and aarch64. */
public enum Errno {
  EPERM(1),
  ENOENT(2),
  EINTR(4),
  EIO(5),
  ENXIO(6),
  EBADF(9),
  EAGAIN(11),
  ENOMEM(12),
  EACCES(13),
  EBUSY(16),
  EEXIST(17),
  EXDEV(18),
  ENODEV(19),
  ENOTDIR(20),
  EISDIR(21),
  EINVAL(22),
  ENFILE(23),
  EMFILE(24),
  ENOTTY(25),
  ETXTBSY(26),
  EFBIG(27),
  ENOSPC(28),
  ESPIPE(29),
  EROFS(30),
  EMLINK(31),
  EPIPE(32),
  ENAMETOOLONG(36),
  ENOSYS(38),
  ENOTEMPTY(39),
  ELOOP(40),
  EOVERFLOW(75),
  EOPNOTSUPP(95),
  ENOTCONN(107),
  ETIMEDOUT(110),
  ESTALE(116),
  EREMOTEIO(121),
  EDQUOT(122),
  /** A value that this list does not have; the number is in the exception. */
  OTHER(-1);

  private final int number;

  Errno(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public static Errno of(int number) {
    for (Errno errno : values()) {
      if (errno.number == number) {
        return errno;
      }
    }
    return OTHER;
  }
}
