package dev.tailwater.store.datafile.file;

/**
 * The policy for filling a data file with zeros behind its end. An fdatasync(2) of bytes that
 * overwrite written blocks in a file that does not grow is one write to the disk; otherwise the
 * file system has to commit its journal too. So while small groups are synced one after the other,
 * a write occasionally appends some zeros, and all syncs until they are used up are cheap. Long
 * groups gain nothing, and would be written twice.
 *
 * <p>Used with the append lock held, except {@link #stop}.
 */
public final class ZeroFill {
  private static final long MAX_GROUP_BYTES = 16 * 1024;

  /** Number of groups that one filling is meant for. */
  private static final long GROUPS = 256;

  private static final long MIN_BYTES = 64 * 1024;

  /** A group has a weight of one eighth in the mean. */
  private static final int MEAN_SHIFT = 3;

  private final long maxBytes;
  private final int afterGroups;
  private long meanGroupBytes;
  private int groups;
  private volatile boolean works = true;

  /**
   * Creates the policy.
   *
   * @param maxBytes most zeros at a time; 0: none ever
   * @param afterGroups number of small groups in a row before filling begins
   */
  public ZeroFill(long maxBytes, int afterGroups) {
    this.maxBytes = maxBytes;
    this.afterGroups = afterGroups;
  }

  /** Stops filling, because the file system refused it. */
  public void stop() {
    works = false;
  }

  /**
   * Returns the offset up to which the file is to be filled behind a group that is about to be
   * written and synced; 0: not now.
   *
   * @param groupBytes length of the group
   * @param endBytes where it ends
   * @param zeroedBytes end of the zeros that are there
   * @param reservedBytes offset up to which space is reserved
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
