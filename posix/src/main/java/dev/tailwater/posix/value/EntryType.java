package dev.tailwater.posix.value;

/** What a directory entry or a status is about. */
public enum EntryType {
  REGULAR,
  DIRECTORY,
  SYMBOLIC_LINK,
  FIFO,
  SOCKET,
  CHARACTER_DEVICE,
  BLOCK_DEVICE,
  /** The file system does not say; ask statx. */
  UNKNOWN
}
