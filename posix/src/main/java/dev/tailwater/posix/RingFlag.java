package dev.tailwater.posix;

/** Flags of io_uring_setup(2). */
public enum RingFlag {
  /**
   * Completions are noted when the thread next enters the kernel, instead of interrupting it in its
   * own code (IORING_SETUP_COOP_TASKRUN, Linux 5.19).
   */
  COOPERATIVE,
  /** Only the thread that made the ring submits (IORING_SETUP_SINGLE_ISSUER, Linux 6.0). */
  SINGLE_ISSUER,
  /**
   * Completions are noted only while the thread waits for them; with {@link #SINGLE_ISSUER}
   * (IORING_SETUP_DEFER_TASKRUN, Linux 6.1).
   */
  DEFERRED
}
