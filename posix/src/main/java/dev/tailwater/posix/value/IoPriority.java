package dev.tailwater.posix.value;

/**
 * How urgent a thread's reads and synchronous writes are, where the disk's scheduler heeds it (BFQ;
 * mq-deadline, classes only; not {@code none}).
 *
 * @param level 0, the first, to 7; 0 where the class has no levels
 * @see <a href="https://man7.org/linux/man-pages/man2/ioprio_set.2.html">ioprio_set(2)</a>
 */
public record IoPriority(Kind kind, int level) {
  private static final int CLASS_SHIFT = 13;

  /** The classes that need no privilege, in the order of their numbers. */
  public enum Kind {
    /** It follows from the nice level. */
    NONE(0),
    BEST_EFFORT(2),
    /** Only while nobody else wants the disk. */
    IDLE(3);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** What a thread has about which nothing was said. */
  public static final IoPriority NONE = new IoPriority(Kind.NONE, 0);

  public static final IoPriority IDLE = new IoPriority(Kind.IDLE, 0);

  public IoPriority {
    if (level < 0 || level > (kind == Kind.BEST_EFFORT ? 7 : 0)) {
      throw new IllegalArgumentException("I/O priority " + kind + " has no level " + level);
    }
  }

  /**
   * One of the ordinary class.
   *
   * @param level 0, the first, to 7
   */
  public static IoPriority bestEffort(int level) {
    return new IoPriority(Kind.BEST_EFFORT, level);
  }

  public int bits() {
    return kind.number << CLASS_SHIFT | level;
  }
}
