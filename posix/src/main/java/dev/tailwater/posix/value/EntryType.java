package dev.tailwater.posix.value;

/** The type of a file. */
public enum EntryType {
  REGULAR,
  DIRECTORY,
  SYMBOLIC_LINK,
  FIFO,
  SOCKET,
  CHARACTER_DEVICE,
  BLOCK_DEVICE,
  /** The file system does not report the type; use statx. */
  UNKNOWN
}
