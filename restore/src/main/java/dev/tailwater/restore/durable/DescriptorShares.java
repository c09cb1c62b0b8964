package dev.tailwater.restore.durable;

import dev.tailwater.io.OpenFileLimit;

/**
 * What a restore may keep open, by the limit of open files. The files that wait to be durable, as
 * many that are made durable meanwhile, and the directory of each of these take half of what the
 * process itself does not need; the directories that stay open take an eighth.
 *
 * @param waitingFiles how many files may wait to be durable
 * @param directories how many directories stay open beside those that are in use
 * @param jobs how many files may be written at the same time
 */
public record DescriptorShares(int waitingFiles, int directories, int jobs) {
  /** The program's own files, the archive's, and those of the files that are written. */
  private static final int OTHERS = 40;

  private static final int PART = 8;

  /** One that waits, one that is made durable meanwhile, and the directories of both. */
  private static final long WAITING_FILE = 4;

  /** More would only make a run lose more that is interrupted. */
  private static final int MOST_WAITING_FILES = 2000;

  /** Those of the files that are written, and some more. */
  private static final int MOST_DIRECTORIES = 64;

  /** What is open before any file is written: the program's own files, and the archive's. */
  private static final int OWN = 24;

  /** A file, its directory, an object that is read for it, and one that is read ahead. */
  private static final int FOR_JOB = 4;

  private static final int MOST_JOBS = 64;

  /** Returns those of this process, by its limit of open files. */
  public static DescriptorShares ofProcess() {
    return of(OpenFileLimit.ofProcess().orElse(Long.MAX_VALUE));
  }

  static DescriptorShares of(long limit) {
    long share = (limit - OTHERS) / PART;
    int waitingFiles = Math.clamp(share, 1, MOST_WAITING_FILES);
    int directories = Math.clamp(share, 1, MOST_DIRECTORIES);
    long left = limit - OWN - WAITING_FILE * waitingFiles - directories;
    return new DescriptorShares(
        waitingFiles, directories, Math.clamp(left / FOR_JOB, 1, MOST_JOBS));
  }
}
