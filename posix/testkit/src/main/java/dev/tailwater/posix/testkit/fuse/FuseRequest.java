package dev.tailwater.posix.testkit.fuse;

/**
 * A kind of request from the kernel to the server of a {@link FuseFileSystem}; one for each
 * callback.
 */
public enum FuseRequest {
  GETATTR,
  STATFS,
  OPEN,
  CREATE,
  READ,
  WRITE,
  /** Sent by each close(2), which returns its result. */
  FLUSH,
  FSYNC,
  /** Sent when the last descriptor is closed; its result is ignored. */
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
