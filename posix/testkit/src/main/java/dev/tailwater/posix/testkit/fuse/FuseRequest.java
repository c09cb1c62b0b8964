package dev.tailwater.posix.testkit.fuse;

/** What the kernel asks of the server of a {@link FuseFileSystem}; one for each callback. */
public enum FuseRequest {
  GETATTR,
  STATFS,
  OPEN,
  CREATE,
  READ,
  WRITE,
  /** At each close(2), whose result it is. */
  FLUSH,
  FSYNC,
  /** When the last descriptor is closed; nobody sees its result. */
  RELEASE,
  TRUNCATE,
  READDIR,
  FSYNCDIR,
  MKDIR,
  RMDIR,
  UNLINK,
  RENAME,
  LINK,
  CHMOD,
  UTIMENS
}
