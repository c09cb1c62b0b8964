package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/** Thrown when another process has the store open. */
public final class StoreLockedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient OptionalLong holderPid;

  /** For the store in this directory. */
  public StoreLockedException(PosixPath directory, OptionalLong holderPid) {
    super(
        "store " + directory + " is in use" + by(holderPid),
        "Stop that process first, or use another directory: a store belongs to one process.",
        null);
    this.holderPid = holderPid;
  }

  private static String by(OptionalLong pid) {
    return pid.isPresent() ? " by process " + pid.getAsLong() : " by another process";
  }

  /** Returns the process that has it open, as the lock file says; empty when it does not say. */
  public OptionalLong holderPid() {
    return holderPid;
  }
}
