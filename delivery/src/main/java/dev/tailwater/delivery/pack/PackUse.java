package dev.tailwater.delivery.pack;

/**
 * When ranges that fill no segment travel in packs.
 *
 * @param leastFiles how many files must have unread bytes at once, or short segments within {@code
 *     max_age}; from then on, and for the rest of the run, short ranges of all files travel in
 *     packs
 */
public record PackUse(int leastFiles) {
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

  public boolean isNever() {
    return equals(NEVER);
  }

  public boolean isAlways() {
    return equals(ALWAYS);
  }
}
