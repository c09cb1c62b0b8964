package dev.tailwater.posix.value;

/**
 * The scheduling policy of an ordinary thread, which has an effect in addition to its nice level.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7)</a>
 */
public enum SchedulingPolicy {
  /** SCHED_OTHER: the default for threads. */
  NORMAL(0),
  /** SCHED_BATCH: a thread that wakes up does not preempt the running one. */
  BATCH(3),
  /** SCHED_IDLE: runs hardly at all while another thread needs the processor. */
  IDLE(5);

  private final int number;

  SchedulingPolicy(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
