package dev.tailwater.delivery.room;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;

/** The problem that more files are at risk than may be open. */
public final class DescriptorShortage {
  /** The subject of the problem. */
  public static final String SUBJECT = "open files";

  /** What to do about it. */
  public static final String HINT = "raise the limit of open files (LimitNOFILE=, ulimit -n)";

  private DescriptorShortage() {}

  /** Returns whether the error means that there are too few descriptors. */
  public static boolean isMeant(ErrnoException e) {
    return e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
  }
}
