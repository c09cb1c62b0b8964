package dev.tailwater.delivery.watch;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;

/** The problem that more files are at risk than may be open. */
public final class DescriptorShortage {
  /** The subject of the problem. */
  public static final String SUBJECT = "open files";

  static final String HINT = "raise the limit of open files (LimitNOFILE=, ulimit -n)";

  static final String MEMORY_HINT =
      "nothing is lost while they wait; give the JVM more: TAILWATER_JAVA_OPTS=-Xmx512m";

  private DescriptorShortage() {}

  /** Returns whether the error means that there are too few descriptors. */
  static boolean isMeant(ErrnoException e) {
    return e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
  }
}
