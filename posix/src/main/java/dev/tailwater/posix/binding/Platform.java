package dev.tailwater.posix.binding;

/**
 * The supported machines, with the few constants of open(2) and system call numbers that differ
 * between them. All other constants and structures used here are the same on both (struct layouts
 * of statx, statfs, dirent64, pollfd and timespec; syscall numbers from 424 on).
 *
 * <p>Source: arch/x86/include/uapi/asm/fcntl.h (asm-generic/fcntl.h) and
 * arch/arm64/include/uapi/asm/fcntl.h of Linux; its tables of system calls,
 * arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
 */
public enum Platform {
  X86_64(0x4000, 0x10000, 0x20000, 186, 140, 251, 252, 314),
  AARCH64(0x10000, 0x4000, 0x8000, 178, 141, 30, 31, 274);

  private final int direct;
  private final int directory;
  private final int noFollow;
  private final long getTid;
  private final long getPriority;
  private final long ioPrioritySet;
  private final long ioPriorityGet;
  private final long schedSetAttr;

  Platform(
      int direct,
      int directory,
      int noFollow,
      long getTid,
      long getPriority,
      long ioPrioritySet,
      long ioPriorityGet,
      long schedSetAttr) {
    this.direct = direct;
    this.directory = directory;
    this.noFollow = noFollow;
    this.getTid = getTid;
    this.getPriority = getPriority;
    this.ioPrioritySet = ioPrioritySet;
    this.ioPriorityGet = ioPriorityGet;
    this.schedSetAttr = schedSetAttr;
  }

  /** Returns O_DIRECT. */
  int direct() {
    return direct;
  }

  /** Returns O_DIRECTORY. */
  int directory() {
    return directory;
  }

  /** Returns O_NOFOLLOW. */
  int noFollow() {
    return noFollow;
  }

  /** Returns SYS_gettid. */
  long getTid() {
    return getTid;
  }

  /** Returns SYS_getpriority. */
  long getPriority() {
    return getPriority;
  }

  /** Returns SYS_ioprio_set. */
  long ioPrioritySet() {
    return ioPrioritySet;
  }

  /** Returns SYS_ioprio_get. */
  long ioPriorityGet() {
    return ioPriorityGet;
  }

  /** Returns SYS_sched_setattr. */
  long schedSetAttr() {
    return schedSetAttr;
  }

  /** Returns the platform that this JVM runs on. */
  public static Platform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  /**
   * Returns the platform for the values of the system properties {@code os.name} and {@code
   * os.arch}.
   *
   * @throws IllegalStateException if the platform is not supported
   */
  static Platform of(String operatingSystem, String architecture) {
    if (operatingSystem.equals("Linux")) {
      switch (architecture) {
        case "amd64", "x86_64" -> {
          return X86_64;
        }
        case "aarch64" -> {
          return AARCH64;
        }
        default -> {}
      }
    }
    throw new IllegalStateException(
        "Tailwater's file calls need Linux on x86-64 or aarch64; this JVM runs on "
            + operatingSystem
            + " on "
            + architecture);
  }
}
