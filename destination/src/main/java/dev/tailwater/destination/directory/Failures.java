package dev.tailwater.destination.directory;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.UnsuitableKeyException;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.net.URI;

/**
 * The translation of errnos into failures of a destination: whether to retry, and what the user can
 * do.
 *
 * <p>A failure is permanent if it lasts until somebody acts; the agent still retries slowly, so it
 * notices freed space. Every unknown errno is transient.
 *
 * @param uri the destination, for messages
 * @param intent what it was opened for: a reader is not told to take permissions that it needs not
 */
record Failures(URI uri, OpenIntent intent) {
  DestinationException of(String operation, String key, ErrnoException e) {
    String reason = String.valueOf(e.getMessage());
    // link(2) fails with EPERM if the file system has no hard links.
    Errno meaning =
        e.operation().equals("link") && e.errno() == Errno.EPERM ? Errno.EOPNOTSUPP : e.errno();
    String hint = hint(operation, meaning);
    if (meaning == Errno.EPERM || meaning == Errno.EACCES) {
      return new RefusedDestinationException(uri, operation, key, reason, hint, e);
    }
    if (meaning == Errno.ENAMETOOLONG) {
      return new UnsuitableKeyException(uri, operation, key, reason, hint, e);
    }
    return isPermanent(e.errno())
        ? new PermanentDestinationException(uri, operation, key, reason, hint, e)
        : new TransientDestinationException(uri, operation, key, reason, hint, e);
  }

  private boolean onlyReads(String operation) {
    return switch (operation) {
      case "read", "list" -> true;
      case "open" -> intent == OpenIntent.READ;
      default -> false;
    };
  }

  PermanentDestinationException notAnObject(String operation, String key) {
    return new PermanentDestinationException(
        uri, operation, key, "the name is taken by something that is not a regular file", TAKEN);
  }

  /** Returns the failure for a key that {@link SillyNames} contain. */
  PermanentDestinationException sillyName(String operation, String key) {
    return new PermanentDestinationException(
        uri,
        operation,
        key,
        "NFS and FUSE give such a name to a file that is removed while it is open",
        "Use another name, or another kind of destination.");
  }

  private static final String TAKEN =
      "Something in the archive's directory was not put there by Tailwater: look at it, move it"
          + " away.";

  private static boolean isPermanent(Errno errno) {
    return switch (errno) {
      case ENOSPC, EDQUOT, EROFS, EACCES, EPERM -> true;
      case EFBIG, EMLINK, EOVERFLOW -> true;
      case ENOTDIR, EISDIR, ELOOP, ENOTEMPTY, EXDEV -> true;
      case EINVAL, EOPNOTSUPP, ENOSYS -> true;
      default -> false;
    };
  }

  private String hint(String operation, Errno errno) {
    return switch (errno) {
      case ENOSPC ->
          "Free space or inodes on the archive's file system (df, df -i); nothing is lost"
              + " meanwhile.";
      case EDQUOT -> "Raise the quota of this user, group or project there, or free space.";
      case EROFS ->
          "The file system is mounted read-only, perhaps after an error: see dmesg and mount.";
      case EACCES, EPERM ->
          onlyReads(operation)
              ? "Let this user read the archive's objects, and read and search its directories"
                  + " (namei -l shows who may)."
              : "Give this user read, write and search permission on the archive's directories"
                  + " (namei -l shows them).";
      case ENAMETOOLONG -> "This file system takes shorter names than other Linux file systems.";
      case EFBIG, EOVERFLOW -> "This file system takes only smaller files.";
      case EMLINK -> "This file system takes no more subdirectories in one directory.";
      case ENOTDIR, EISDIR, ELOOP, ENOTEMPTY -> TAKEN;
      case EXDEV ->
          "The archive's directory must be one file system and one quota project: nothing mounted"
              + " inside of it.";
      case EINVAL, EOPNOTSUPP, ENOSYS ->
          "This file system or kernel lacks a call that durable archives need (renameat2 or"
              + " link; fsync of a directory): use another file system.";
      case ENOENT -> "Somebody removed a directory or file meanwhile.";
      // Only for a temporary file, whose name nobody else creates.
      case EEXIST -> "The file server's first answer was lost.";
      case ESTALE ->
          "The file server forgot a directory or file. If that goes on, mount"
              + " the file system anew.";
      case EMFILE, ENFILE -> "Raise the limit of open files (ulimit -n, LimitNOFILE=).";
      case ENOMEM -> "The machine or this cgroup is out of memory.";
      case EIO, EREMOTEIO, ENXIO, ENODEV, ENOTCONN, ETIMEDOUT ->
          "The disk, file server or network fails: see dmesg.";
      default -> DestinationException.MAY_PASS;
    };
  }
}
