package dev.tailwater.store.datafile.write;

/**
 * Options that make group commits cheap.
 *
 * <pre>{@code
 * DataFileOptions.defaults().withCommits(CommitOptions.withoutZeroFill());
 * }</pre>
 *
 * @param zeroFillBytes most zeros written at a time behind the end of the newest data file, so that
 *     the following syncs need no commit of the file system's journal; 0: none
 * @param zeroFillAfterGroups number of short groups synced in a row before zeros are written
 */
public record CommitOptions(int zeroFillBytes, int zeroFillAfterGroups) {
  private static final int DEFAULT_ZERO_FILL_BYTES = 512 * 1024;
  private static final int DEFAULT_ZERO_FILL_AFTER_GROUPS = 32;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when one is negative
   */
  public CommitOptions {
    if (zeroFillBytes < 0 || zeroFillAfterGroups < 0) {
      throw new IllegalArgumentException(
          "zeroFillBytes " + zeroFillBytes + ", zeroFillAfterGroups " + zeroFillAfterGroups);
    }
  }

  /** Returns options for up to 512 KiB of zeros, after 32 groups. */
  public static CommitOptions defaults() {
    return new CommitOptions(DEFAULT_ZERO_FILL_BYTES, DEFAULT_ZERO_FILL_AFTER_GROUPS);
  }

  /** Returns options without zeros, for file systems that never write in place, such as btrfs. */
  public static CommitOptions withoutZeroFill() {
    return new CommitOptions(0, 0);
  }
}
