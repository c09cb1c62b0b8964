package dev.tailwater.posix;

/**
 * The machines whose constants are known, and the few constants of open(2) that differ between
 * them. Everything else that is used here is the same on both (struct layouts of statx, statfs,
 * dirent64, pollfd and timespec; syscall numbers from 424 on).
 *
 * <p>Source: arch/x86/include/uapi/asm/fcntl.h (asm-generic/fcntl.h) and
 * arch/arm64/include/uapi/asm/fcntl.h of Linux.
 */
enum Platform {
  X86_64(0x4000, 0x10000, 0x20000),
  AARCH64(0x10000, 0x4000, 0x8000);

  private final int direct;
  private final int directory;
  private final int noFollow;

  Platform(int direct, int directory, int noFollow) {
    this.direct = direct;
    this.directory = directory;
    this.noFollow = noFollow;
  }

  /** O_DIRECT. */
  int direct() {
    return direct;
  }

  /** O_DIRECTORY. */
  int directory() {
    return directory;
  }

  /** O_NOFOLLOW. */
  int noFollow() {
    return noFollow;
  }

  /** The platform that this JVM runs on. */
  static Platform current() {
    return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  /**
   * By the values of the system properties {@code os.name} and {@code os.arch}.
   *
   * @throws IllegalStateException when it is not one of these
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
