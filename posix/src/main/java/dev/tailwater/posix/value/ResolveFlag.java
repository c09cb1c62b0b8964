package dev.tailwater.posix.value;

/** RESOLVE_ flags of openat2(2). */
public enum ResolveFlag {
  /** Never above or outside of the directory; absolute paths are refused. */
  BENEATH,
  /** Through no symbolic link, wherever in the path. */
  NO_SYMLINKS,
  /** Through no link such as those in /proc/PID/fd. */
  NO_MAGIC_LINKS,
  /** Onto no other mount. */
  NO_CROSS_DEVICE,
  /** The directory is the root: absolute paths and links start there. */
  IN_ROOT
}
