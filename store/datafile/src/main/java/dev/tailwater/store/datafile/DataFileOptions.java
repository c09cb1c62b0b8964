package dev.tailwater.store.datafile;

import dev.tailwater.store.Durability;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.datafile.vacuum.VacuumOptions;
import dev.tailwater.store.datafile.write.CommitOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
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

  private static final long DEFAULT_SYNC_ABOVE_BYTES = 32 * 1024 * 1024;

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
        OpenFileLimit.forDataFiles(MAX_OPEN_FILES));
  }

  private static void startThread(Runnable task) {
    Thread.ofPlatform().daemon().name("tailwater-store-background").start(task);
  }

  /** These options with another {@link #background()}. */
  public DataFileOptions withBackground(Executor executor) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        syncAboveBytes,
        executor,
        random,
        clock,
        reads,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #durability()}. */
  public DataFileOptions withDurability(Durability other) {
    return new DataFileOptions(
        other,
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

  /** These options with another {@link #fileBytes()}. */
  public DataFileOptions withFileBytes(long bytes) {
    return new DataFileOptions(
        durability,
        bytes,
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

  /** These options with another {@link #writeWithin()}. */
  public DataFileOptions withWriteWithin(Duration time) {
    return new DataFileOptions(
        durability,
        fileBytes,
        time,
        syncAboveBytes,
        background,
        random,
        clock,
        reads,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #syncAboveBytes()}. */
  public DataFileOptions withSyncAboveBytes(long bytes) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        bytes,
        background,
        random,
        clock,
        reads,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #random()}. */
  public DataFileOptions withRandom(RandomGenerator generator) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        syncAboveBytes,
        background,
        generator,
        clock,
        reads,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #clock()}. */
  public DataFileOptions withClock(InstantSource source) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        syncAboveBytes,
        background,
        random,
        source,
        reads,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #reads()}. */
  public DataFileOptions withReads(ReadOptions other) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        syncAboveBytes,
        background,
        random,
        clock,
        other,
        commits,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #commits()}. */
  public DataFileOptions withCommits(CommitOptions other) {
    return new DataFileOptions(
        durability,
        fileBytes,
        writeWithin,
        syncAboveBytes,
        background,
        random,
        clock,
        reads,
        other,
        vacuum,
        maxOpenFiles);
  }

  /** These options with another {@link #vacuum()}. */
  public DataFileOptions withVacuum(VacuumOptions other) {
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
        other,
        maxOpenFiles);
  }

  /** These options with another {@link #maxOpenFiles()}. */
  public DataFileOptions withMaxOpenFiles(int files) {
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
        files);
  }

  /**
   * Returns how many data files there may be: a file that is read past the page cache is open
   * twice.
   */
  public int mostFiles() {
    return reads.direct() ? maxOpenFiles / 2 : maxOpenFiles;
  }
}
