package dev.tailwater.store.datafile.write;

/**
 * How group commits are made cheap.
 *
 * <pre>{@code
 * DataFileOptions.defaults().withCommits(CommitOptions.withoutZeroFill());
 * }</pre>
 *
 * @param zeroFillBytes most zeros that are written behind the end of the newest data file at a
 *     time, so that the syncs that follow need no commit of the file system's journal; 0: none
 * @param zeroFillAfterGroups how many short groups are synced one after the other before that
 */
public record CommitOptions(int zeroFillBytes, int zeroFillAfterGroups) {
  private static final int DEFAULT_ZERO_FILL_BYTES = 512 * 1024;
  private static final int DEFAULT_ZERO_FILL_AFTER_GROUPS = 32;

  public CommitOptions {
    if (zeroFillBytes < 0 || zeroFillAfterGroups < 0) {
      throw new IllegalArgumentException(
          "zeroFillBytes " + zeroFillBytes + ", zeroFillAfterGroups " + zeroFillAfterGroups);
    }
  }

  /** Up to 512 KiB of zeros, after 32 groups. */
  public static CommitOptions defaults() {
    return new CommitOptions(DEFAULT_ZERO_FILL_BYTES, DEFAULT_ZERO_FILL_AFTER_GROUPS);
  }

  /** For file systems that never write in place, such as btrfs, where it only costs. */
  public static CommitOptions withoutZeroFill() {
    return new CommitOptions(0, 0);
  }
}
