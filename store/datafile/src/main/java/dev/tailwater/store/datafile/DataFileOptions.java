package dev.tailwater.store.datafile;

import dev.tailwater.io.OpenFileLimit;
import dev.tailwater.store.Durability;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.datafile.vacuum.VacuumOptions;
import dev.tailwater.store.datafile.write.CommitOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Options of a data-file store.
 *
 * @param durability of writes whose options do not set another
 * @param fileBytes length at which a data file is full, 4 KiB to 4 GiB; a file with a longer batch
 *     is longer
 * @param writeWithin longest time that a write without durability stays in memory before the kernel
 *     gets it
 * @param syncAboveBytes most bytes written without a sync; bounds what a power loss can take from
 *     writes without durability, and what is rewritten after a crash
 * @param background runs work that no caller waits for: making hints, and the vacuum, which may
 *     take long. Must run every task that it accepts, or closing the store waits forever. With an
 *     executor that runs tasks in the calling thread, there is no automatic vacuum
 * @param random generates store ids, salts and the secret of the hash
 * @param clock decides what has expired
 * @param reads how values are read
 * @param commits how group commits are made cheap
 * @param vacuum how the space of dead records is reclaimed
 * @param maxOpenFiles how many descriptors data files may take, 4 to 65 280; when they are taken,
 *     files become longer than {@code fileBytes}, up to 4 GiB, and then writes are refused. Usually
 *     half of what the process may have open
 */
public record DataFileOptions(
    Durability durability,
    long fileBytes,
    Duration writeWithin,
    long syncAboveBytes,
    Executor background,
    RandomGenerator random,
    InstantSource clock,
    ReadOptions reads,
    CommitOptions commits,
    VacuumOptions vacuum,
    int maxOpenFiles) {
  private static final long MIN_FILE_BYTES = 4096;
  private static final long DEFAULT_FILE_BYTES = 256 * 1024 * 1024;
  private static final int MIN_OPEN_FILES = 4;

  /** Most data files; some file numbers are left for the files that a vacuum writes. */
  public static final int MAX_OPEN_FILES = Location.MAX_FILE - 255;

  /** With a limit of fewer descriptors, opening a file says when there are too many. */
  private static final int LEAST_OPEN_FILES = 16;

  private static final long DEFAULT_SYNC_ABOVE_BYTES = 32 * 1024 * 1024;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when one is outside of what is described
   */
  public DataFileOptions {
    if (fileBytes < MIN_FILE_BYTES || fileBytes > Location.OFFSET_LIMIT) {
      throw new IllegalArgumentException("fileBytes " + fileBytes);
    }
    if (writeWithin.isNegative() || syncAboveBytes < 1) {
      throw new IllegalArgumentException(
          "writeWithin " + writeWithin + ", syncAboveBytes " + syncAboveBytes);
    }
    if (maxOpenFiles < MIN_OPEN_FILES || maxOpenFiles > MAX_OPEN_FILES) {
      throw new IllegalArgumentException("maxOpenFiles " + maxOpenFiles);
    }
  }

  /** Group durability, files of 256 MiB. */
  public static DataFileOptions defaults() {
    return new DataFileOptions(
        Durability.GROUP,
        DEFAULT_FILE_BYTES,
        Duration.ofMillis(10),
        DEFAULT_SYNC_ABOVE_BYTES,
        DataFileOptions::startThread,
        new SecureRandom(),
        InstantSource.system(),
        ReadOptions.defaults(),
        CommitOptions.defaults(),
        VacuumOptions.defaults(),
        openFiles());
  }

  /** Half of the limit of the process, so that as many are left for everything else. */
  private static int openFiles() {
    long half = OpenFileLimit.ofProcess().orElse(Long.MAX_VALUE) / 2;
    return Math.clamp(half, LEAST_OPEN_FILES, MAX_OPEN_FILES);
  }

  private static void startThread(Runnable task) {
    Thread.ofPlatform().daemon().name("tailwater-store-background").start(task);
  }

  /** These options with another {@link #background()}. */
  public DataFileOptions withBackground(Executor executor) {
    return with(draft -> draft.background = executor);
  }

  /** These options with another {@link #durability()}. */
  public DataFileOptions withDurability(Durability other) {
    return with(draft -> draft.durability = other);
  }

  /** These options with another {@link #fileBytes()}. */
  public DataFileOptions withFileBytes(long bytes) {
    return with(draft -> draft.fileBytes = bytes);
  }

  /** These options with another {@link #writeWithin()}. */
  public DataFileOptions withWriteWithin(Duration time) {
    return with(draft -> draft.writeWithin = time);
  }

  /** These options with another {@link #syncAboveBytes()}. */
  public DataFileOptions withSyncAboveBytes(long bytes) {
    return with(draft -> draft.syncAboveBytes = bytes);
  }

  /** These options with another {@link #random()}. */
  public DataFileOptions withRandom(RandomGenerator generator) {
    return with(draft -> draft.random = generator);
  }

  /** These options with another {@link #clock()}. */
  public DataFileOptions withClock(InstantSource source) {
    return with(draft -> draft.clock = source);
  }

  /** These options with another {@link #reads()}. */
  public DataFileOptions withReads(ReadOptions other) {
    return with(draft -> draft.reads = other);
  }

  /** These options with another {@link #commits()}. */
  public DataFileOptions withCommits(CommitOptions other) {
    return with(draft -> draft.commits = other);
  }

  /** These options with another {@link #vacuum()}. */
  public DataFileOptions withVacuum(VacuumOptions other) {
    return with(draft -> draft.vacuum = other);
  }

  /** These options with another {@link #maxOpenFiles()}. */
  public DataFileOptions withMaxOpenFiles(int files) {
    return with(draft -> draft.maxOpenFiles = files);
  }

  private DataFileOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /**
   * Returns how many data files there may be: a file that is read past the page cache is open
   * twice.
   */
  public int mostFiles() {
    return reads.direct() ? maxOpenFiles / 2 : maxOpenFiles;
  }

  /** A mutable copy of options. */
  private static final class Draft {
    private Durability durability;
    private long fileBytes;
    private Duration writeWithin;
    private long syncAboveBytes;
    private Executor background;
    private RandomGenerator random;
    private InstantSource clock;
    private ReadOptions reads;
    private CommitOptions commits;
    private VacuumOptions vacuum;
    private int maxOpenFiles;

    Draft(DataFileOptions from) {
      durability = from.durability;
      fileBytes = from.fileBytes;
      writeWithin = from.writeWithin;
      syncAboveBytes = from.syncAboveBytes;
      background = from.background;
      random = from.random;
      clock = from.clock;
      reads = from.reads;
      commits = from.commits;
      vacuum = from.vacuum;
      maxOpenFiles = from.maxOpenFiles;
    }

    DataFileOptions options() {
      return new DataFileOptions(
          durability,
          fileBytes,
          writeWithin,
          syncAboveBytes,
          background,
          random,
          clock,
          reads,
          commits,
          vacuum,
          maxOpenFiles);
    }
  }
}
