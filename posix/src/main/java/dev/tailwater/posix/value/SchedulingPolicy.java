package dev.tailwater.posix.value;

/**
 * Which ordinary threads the kernel prefers, besides their nice levels.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7)</a>
 */
public enum SchedulingPolicy {
  /** SCHED_OTHER: as any thread. */
  NORMAL(0),
  /** SCHED_BATCH: a thread that wakes up lets the one that runs go on. */
  BATCH(3),
  /** SCHED_IDLE: hardly any time while another thread wants the processor. */
  IDLE(5);

  private final int number;

  SchedulingPolicy(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
