package dev.tailwater.restore.durable;

import dev.tailwater.io.OpenFileLimit;

/**
 * What a restore may keep open, by the limit of open files. The files that wait to be durable, as
 * many that are made durable meanwhile, and the directory of each of these take half of what the
 * process itself does not need; the directories that stay open take an eighth.
 *
 * @param waitingFiles how many files may wait to be durable
 * @param directories how many directories stay open beside those that are in use
 */
public record DescriptorShares(int waitingFiles, int directories) {
  /** The program's own files, the archive's, and those of the files that are written. */
  private static final int OTHERS = 40;

  private static final int PART = 8;

  /** More would only make a run lose more that is interrupted. */
  private static final int MOST_WAITING_FILES = 2000;

  /** Those of the files that are written, and some more. */
  private static final int MOST_DIRECTORIES = 64;

  /** Returns those of this process, by its limit of open files. */
  public static DescriptorShares ofProcess() {
    return of(OpenFileLimit.ofProcess().orElse(Long.MAX_VALUE));
  }

  static DescriptorShares of(long limit) {
    long share = (limit - OTHERS) / PART;
    return new DescriptorShares(
        Math.clamp(share, 1, MOST_WAITING_FILES), Math.clamp(share, 1, MOST_DIRECTORIES));
  }
}
