package dev.tailwater.delivery.pack;

/**
 * When ranges that fill no segment, and what there is to say of files, travel in packs.
 *
 * @param leastFiles how many files must have unread bytes at once, or short segments within {@code
 *     max_age}, or four times as many something to be said of them; from then on, and for the rest
 *     of the run, short ranges of all files travel in packs
 */
public record PackUse(int leastFiles) {
  /** A log that is rotated every week and kept for a year gives 52 files another name at once. */
  private static final int TOLD_FOR_EACH = 4;

  /** From the first range on. */
  public static final PackUse ALWAYS = new PackUse(0);

  /** Where a segment for each file would cost more than packs do. */
  public static final PackUse FOR_MANY_FILES = new PackUse(16);

  /** Only what replaces other bytes travels in packs. */
  public static final PackUse NEVER = new PackUse(Integer.MAX_VALUE);

  public PackUse {
    if (leastFiles < 0) {
      throw new IllegalArgumentException(leastFiles + " files");
    }
  }

  /** Returns of how many files there must be something to be said within {@code max_age}. */
  public int leastTold() {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, (long) TOLD_FOR_EACH * leastFiles));
  }

  public boolean isNever() {
    return equals(NEVER);
  }

  public boolean isAlways() {
    return equals(ALWAYS);
  }
}
