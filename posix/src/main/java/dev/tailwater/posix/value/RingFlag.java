package dev.tailwater.posix.value;

/** Flags of io_uring_setup(2). */
public enum RingFlag {
  /**
   * Completions are noted when the thread next enters the kernel, instead of interrupting it in its
   * own code (IORING_SETUP_COOP_TASKRUN, Linux 5.19).
   */
  COOPERATIVE
}
