package dev.tailwater.posix.value;

/**
 * The I/O priority of a thread's reads and synchronous writes. It has an effect only if the disk's
 * scheduler supports it (BFQ; mq-deadline, classes only; not {@code none}).
 *
 * @param level 0 (highest) to 7 (lowest); 0 if the class has no levels
 * @see <a href="https://man7.org/linux/man-pages/man2/ioprio_set.2.html">ioprio_set(2)</a>
 */
public record IoPriority(Kind kind, int level) {
  private static final int CLASS_SHIFT = 13;

  /** The classes that do not need a privilege, ordered by number. */
  public enum Kind {
    /** The priority follows from the nice level. */
    NONE(0),
    BEST_EFFORT(2),
    /** Served only while no other process uses the disk. */
    IDLE(3);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** The priority of a thread for which none was set. */
  public static final IoPriority NONE = new IoPriority(Kind.NONE, 0);

  public static final IoPriority IDLE = new IoPriority(Kind.IDLE, 0);

  public IoPriority {
    if (level < 0 || level > (kind == Kind.BEST_EFFORT ? 7 : 0)) {
      throw new IllegalArgumentException("I/O priority " + kind + " has no level " + level);
    }
  }

  /**
   * Returns a priority of the best-effort class.
   *
   * @param level 0 (highest) to 7 (lowest)
   */
  public static IoPriority bestEffort(int level) {
    return new IoPriority(Kind.BEST_EFFORT, level);
  }

  public int bits() {
    return kind.number << CLASS_SHIFT | level;
  }
}
