package dev.tailwater.archive.name;

import java.security.SecureRandom;

/**
 * The name of a group of packs. The packs of a group number their streams together, so a pack is
 * read with the earlier ones of its group; groups are independent of each other.
 *
 * <p>The text is {@code <begun>-<random>}: 13 characters of lower-case base32hex for the time at
 * which the group was begun, in nanoseconds since 1970 with the sign bit flipped, and 8 random
 * ones. Groups sort by time. See {@code docs/format.md}, "Packs".
 */
public record PackGroup(String text) implements Comparable<PackGroup> {
  private static final int TIME_CHARACTERS = 13;
  private static final int RANDOM_CHARACTERS = 8;
  private static final int LENGTH_CHARACTERS = TIME_CHARACTERS + 1 + RANDOM_CHARACTERS;
  private static final int RANDOM_BITS = 5 * RANDOM_CHARACTERS;

  /** Sorts before every group that an agent begins. */
  public static final PackGroup EARLIEST =
      new PackGroup("0".repeat(TIME_CHARACTERS) + "-" + "0".repeat(RANDOM_CHARACTERS));

  public PackGroup {
    if (!isValid(text)) {
      throw new IllegalArgumentException("not the name of a group of packs: '" + text + "'");
    }
  }

  /**
   * Returns a new name.
   *
   * @param nowNanos the time, nanoseconds since 1970
   */
  public static PackGroup begin(long nowNanos, SecureRandom random) {
    String time = Base32.fixedWidth(nowNanos ^ Long.MIN_VALUE, TIME_CHARACTERS);
    long chance = random.nextLong() >>> (Long.SIZE - RANDOM_BITS);
    return new PackGroup(time + "-" + Base32.fixedWidth(chance, RANDOM_CHARACTERS));
  }

  /**
   * Returns a new name that sorts behind another one, even if the clock was set back since. Nothing
   * is behind the last time that a name can tell: after a group of that time, chance decides.
   *
   * @param nowNanos the time, nanoseconds since 1970
   */
  public static PackGroup beginAfter(PackGroup before, long nowNanos, SecureRandom random) {
    long beforeNanos = before.begunNanos();
    long nextNanos = beforeNanos == Long.MAX_VALUE ? beforeNanos : beforeNanos + 1;
    return begin(Math.max(nowNanos, nextNanos), random);
  }

  /** Returns when the group was begun by the agent's clock, nanoseconds since 1970. */
  public long begunNanos() {
    return Long.parseUnsignedLong(text.substring(0, TIME_CHARACTERS), Base32.RADIX)
        ^ Long.MIN_VALUE;
  }

  /** Returns whether this is the text of a name. */
  public static boolean isValid(String text) {
    return text.length() == LENGTH_CHARACTERS
        && text.charAt(0) <= 'f'
        && Base32.isBase32(text, 0, TIME_CHARACTERS)
        && text.charAt(TIME_CHARACTERS) == '-'
        && Base32.isBase32(text, TIME_CHARACTERS + 1, LENGTH_CHARACTERS);
  }

  @Override
  public int compareTo(PackGroup other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
