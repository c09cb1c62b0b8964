package dev.tailwater.store.datafile.file;

/**
 * Decides how far behind its end a data file is filled with zeros. An fdatasync(2) of bytes that
 * were there before, on blocks that are written and in a file that does not grow, is a write to the
 * disk and no more; otherwise the file system has to commit its journal, too. So while small groups
 * are synced one after the other, a write now and then takes some zeros along, and all syncs until
 * they are used up are cheap. Groups that are long gain nothing, and would be written twice.
 *
 * <p>Used with the append lock held, but for {@link #stop}.
 */
public final class ZeroFill {
  private static final long MAX_GROUP_BYTES = 16 * 1024;

  /** So many groups use up what is filled at a time. */
  private static final long GROUPS = 256;

  private static final long MIN_BYTES = 64 * 1024;

  /** A group counts an eighth of the mean. */
  private static final int MEAN_SHIFT = 3;

  private final long maxBytes;
  private final int afterGroups;
  private long meanGroupBytes;
  private int groups;
  private volatile boolean works = true;

  /**
   * Fills nothing yet.
   *
   * @param maxBytes most zeros at a time; 0: none ever
   * @param afterGroups how many groups are synced before it is worth it
   */
  public ZeroFill(long maxBytes, int afterGroups) {
    this.maxBytes = maxBytes;
    this.afterGroups = afterGroups;
  }

  /** The file system would not have it. */
  public void stop() {
    works = false;
  }

  /**
   * A group is about to be written and synced: up to where the file is to be filled behind it; 0
   * when not now.
   *
   * @param groupBytes length of the group
   * @param endBytes where it ends
   * @param zeroedBytes end of the zeros that are there
   * @param reservedBytes up to where there is space for certain
   */
  public long next(long groupBytes, long endBytes, long zeroedBytes, long reservedBytes) {
    meanGroupBytes += (groupBytes - meanGroupBytes) >> MEAN_SHIFT;
    boolean isSmall = groupBytes <= MAX_GROUP_BYTES;
    groups = isSmall ? Math.min(groups + 1, afterGroups) : 0;
    boolean usedUp = zeroedBytes <= endBytes + meanGroupBytes;
    boolean pays = works && isSmall && groups >= afterGroups && usedUp;
    long most = endBytes + Math.min(Math.max(GROUPS * meanGroupBytes, MIN_BYTES), maxBytes);
    long target = pays ? Math.min(most, reservedBytes) : 0;
    return target > Math.max(endBytes, zeroedBytes) ? target : 0;
  }
}
