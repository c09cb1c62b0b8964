package dev.tailwater.posix.value;

/** Flags of io_uring_setup(2). */
public enum RingFlag {
  /**
   * The kernel processes completions when the thread next enters the kernel, instead of
   * interrupting the thread in its own code (IORING_SETUP_COOP_TASKRUN, Linux 5.19).
   */
  COOPERATIVE
}
