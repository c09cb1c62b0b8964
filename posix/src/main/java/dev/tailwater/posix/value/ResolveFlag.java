package dev.tailwater.posix.value;

/** RESOLVE_ flags of openat2(2). */
public enum ResolveFlag {
  /** Do not leave the directory, and refuse absolute paths. */
  BENEATH,
  /** Refuse symbolic links in every component of the path. */
  NO_SYMLINKS,
  /** Refuse magic links, such as those in /proc/PID/fd. */
  NO_MAGIC_LINKS,
  /** Do not cross into another mount. */
  NO_CROSS_DEVICE,
  /** Treat the directory as the root: absolute paths and symbolic links start there. */
  IN_ROOT
}
