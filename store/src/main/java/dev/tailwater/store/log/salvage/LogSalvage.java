package dev.tailwater.store.log.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreSalvage;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.SetAside;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.UnlockedStore;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.FrameWriter;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.recovery.FilePlan;
import dev.tailwater.store.log.write.Log;
import dev.tailwater.store.log.write.ObsoleteFiles;
import dev.tailwater.store.log.write.SnapshotWriter;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks and repairs the files of a transaction log that nobody has open. Takes as much memory as
 * the open store. Thread-safe.
 *
 * <pre>{@code
 * StoreCheck check = new LogSalvage(calls, directory, clock).verify(DamageListener.none());
 * }</pre>
 */
public final class LogSalvage implements StoreSalvage {
  private final FileCalls calls;
  private final PosixPath path;
  private final InstantSource clock;

  /** Creates a salvage of the store in this directory; each method reads it anew. */
  public LogSalvage(FileCalls calls, PosixPath directory, InstantSource clock) {
    this.calls = calls;
    this.path = directory;
    this.clock = clock;
  }

  @Override
  public StoreCheck verify(DamageListener listener) throws IOException {
    return UnlockedStore.read(
        calls, path, directory -> check(LogSurvey.of(directory, listener), listener));
  }

  private static StoreCheck check(LogSurvey survey, DamageListener listener) throws IOException {
    return new StoreCheck(survey.files(), survey.report(listener));
  }

  /**
   * Writes everything that is whole as a snapshot, which replaces all files, and keeps those in a
   * directory beside. Crash-safe: wherever it stops, the store is as it was or repaired, and the
   * repair can be run again.
   */
  @Override
  public RepairResult repair(RepairListener listener) throws IOException {
    try (StoreDirectory directory = StoreDirectory.openExisting(calls, path)) {
      DirectoryLock lock = DirectoryLock.take(directory);
      try {
        LogSurvey survey = LogSurvey.of(directory, listener);
        StoreCheck found = check(survey, listener);
        return found.isWhole()
            ? new RepairResult(found, Optional.empty())
            : repair(directory, survey, found, listener);
      } finally {
        lock.close();
      }
    } catch (ErrnoException failed) {
      throw new StoreUnavailableException(path, failed);
    }
  }

  private RepairResult repair(
      StoreDirectory directory, LogSurvey survey, StoreCheck found, RepairListener listener)
      throws IOException {
    FilePlan plan = survey.plan();
    List<LogFileName> originals = new ArrayList<>(plan.logs());
    plan.snapshot().ifPresent(originals::add);
    originals.addAll(plan.obsolete());
    long highest = originals.stream().mapToLong(LogFileName::sequence).max().orElse(0);
    SecureRandom random = new SecureRandom();
    long storeId = survey.storeId().orElseGet(random::nextLong);
    try (SetAside aside = SetAside.make(directory, clock.instant())) {
      for (LogFileName name : originals) {
        aside.keep(name.path());
      }
      aside.sync();
      listener.beforeChange();
      FileHeader log =
          new FileHeader(FileHeader.VERSION, FileKind.LOG, highest + 1, storeId, random.nextLong());
      try (FrameWriter writer = new FrameWriter(calls)) {
        Log.create(directory, writer, log).close();
      }
      FileHeader snapshot =
          new FileHeader(
              FileHeader.VERSION, FileKind.SNAPSHOT, highest, storeId, random.nextLong());
      SnapshotWriter.write(directory, snapshot, survey.map());
      ObsoleteFiles.delete(directory);
      return new RepairResult(found, Optional.of(aside.path()));
    }
  }
}
