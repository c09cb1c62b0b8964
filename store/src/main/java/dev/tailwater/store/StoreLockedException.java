package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;
import java.util.OptionalLong;

/**
 * Thrown when the store is open already, in another process or in this one: there is one {@link
 * KeyValueStore} for a directory at a time, which all threads share. Nothing was changed.
 */
public final class StoreLockedException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient OptionalLong holderPid;

  /**
   * For the store in this directory.
   *
   * @param holderPid the process that has it open; empty if that is not known
   */
  public StoreLockedException(PosixPath directory, OptionalLong holderPid) {
    super(
        "store " + directory + " is in use" + by(holderPid),
        isThisProcess(holderPid)
            ? "Close it first, or share the open store: all threads may use it."
            : "Stop that process first, or use another directory: a store belongs to one process.",
        null);
    this.holderPid = holderPid;
  }

  private static boolean isThisProcess(OptionalLong pid) {
    return pid.isPresent() && pid.getAsLong() == ProcessHandle.current().pid();
  }

  private static String by(OptionalLong pid) {
    if (pid.isEmpty()) {
      return " by another process";
    }
    return " by process " + pid.getAsLong() + (isThisProcess(pid) ? ", which is this one" : "");
  }

  /** Returns the process that has it open, as the lock file says; empty when it does not say. */
  public OptionalLong holderPid() {
    return holderPid;
  }
}
