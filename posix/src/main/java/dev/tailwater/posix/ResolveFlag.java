package dev.tailwater.posix;

/** RESOLVE_ flags of openat2(2). */
public enum ResolveFlag {
  BENEATH,
  NO_SYMLINKS,
  NO_MAGIC_LINKS,
  NO_CROSS_DEVICE,
  IN_ROOT
}
