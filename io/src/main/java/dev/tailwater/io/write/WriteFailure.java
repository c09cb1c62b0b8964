package dev.tailwater.io.write;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;

/** Words for a kernel that refused a write or a sync. */
final class WriteFailure {
  private WriteFailure() {}

  /** The offsets up to which the writer got. */
  record Progress(long writtenBytes, long flushedBytes, long durableBytes) {}

  /** For every call after a final failure. */
  static ErrnoException again(ErrnoException e) {
    return new ErrnoException(
        e.operation(),
        e.subject(),
        e.errnoNumber(),
        "the writer failed before; write everything behind its durable offset again, into a new"
            + " file");
  }

  /** The failure with its file, its place, and how far the writer got. */
  static ErrnoException of(
      ErrnoException e, Progress progress, PosixPath path, long offsetBytes, boolean last) {
    String text =
        e.errno().text()
            + "; accepted up to "
            + progress.writtenBytes()
            + ", handed over up to "
            + progress.flushedBytes()
            + ", durable up to "
            + progress.durableBytes()
            + ". Hint: "
            + (last
                ? "write everything behind the durable offset again, into a new file"
                : hint(e));
    ErrnoException told =
        new ErrnoException(e.operation(), path + " at " + offsetBytes, e.errnoNumber(), text);
    told.initCause(e);
    return told;
  }

  private static String hint(ErrnoException e) {
    return switch (e.errno()) {
      case ENOSPC, EDQUOT -> "make room and flush again; nothing that was accepted is lost";
      case EFBIG -> "the file system, or ulimit -f, allows no larger file";
      case EROFS -> "the file system became read-only; see the kernel's log";
      case EIO, EUCLEAN -> "see the kernel's log for the device";
      case ESTALE -> "the server has the file no more; open it again";
      default -> "flush tries again; nothing that was accepted is lost";
    };
  }
}
