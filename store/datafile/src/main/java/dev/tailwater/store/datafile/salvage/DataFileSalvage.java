package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreCheck.CheckedFile;
import dev.tailwater.store.damage.StoreCheck.Role;
import dev.tailwater.store.damage.StoreSalvage;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.SetAside;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.UnlockedStore;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks and repairs the files of a data-file store that nobody has open. Thread-safe.
 *
 * <pre>{@code
 * StoreCheck check = new DataFileSalvage(calls, directory, clock).verify(DamageListener.none());
 * }</pre>
 */
public final class DataFileSalvage implements StoreSalvage {
  private final FileCalls calls;
  private final PosixPath path;
  private final InstantSource clock;

  /** Creates a salvage of the store in this directory; each method reads it anew. */
  public DataFileSalvage(FileCalls calls, PosixPath directory, InstantSource clock) {
    this.calls = calls;
    this.path = directory;
    this.clock = clock;
  }

  @Override
  public StoreCheck verify(DamageListener listener) throws IOException {
    return UnlockedStore.read(
        calls, path, directory -> check(directory, Survey.of(directory, listener), listener));
  }

  private StoreCheck check(StoreDirectory directory, Survey survey, DamageListener listener)
      throws IOException {
    List<CheckedFile> files = new ArrayList<>();
    for (SurveyedFile file : survey.files()) {
      for (Damage damage : file.damages()) {
        listener.damage(damage);
      }
      files.add(
          new CheckedFile(
              file.path(),
              file.missing() ? Role.MISSING : Role.DATA,
              file.sizeBytes(),
              file.records(),
              file.tornBytes(),
              file.damages(),
              Optional.empty()));
    }
    FileListing listing = survey.listing();
    for (DataFileName hint : listing.hints()) {
      long[] records = new long[1];
      boolean whole =
          Hint.readAlone(
                  directory, hint, survey.identity(), (hash, flags, unplaced) -> records[0]++)
              .isPresent();
      files.add(derived(directory, hint.hintPath(), Role.HINT, records[0], whole));
    }
    if (listing.index()) {
      boolean whole = !survey.covered().isEmpty();
      files.add(derived(directory, IndexCheckpoint.NAME, Role.INDEX, 0, whole));
    }
    for (PosixPath name : listing.obsolete()) {
      files.add(derived(directory, name, Role.OBSOLETE, 0, true));
    }
    for (PosixPath name : listing.unfinished()) {
      files.add(derived(directory, name, Role.UNFINISHED, 0, true));
    }
    StoreCheck.Keys keys =
        survey.isWhole()
            ? StoreCheck.Keys.NONE
            : KeySearch.run(directory, survey, listener, clock.millis());
    return new StoreCheck(files, keys);
  }

  private static CheckedFile derived(
      StoreDirectory directory, PosixPath name, Role role, long records, boolean ofUse)
      throws ErrnoException {
    int fd = directory.openToRead(name);
    try {
      return new CheckedFile(
          directory.pathOf(name),
          role,
          directory.calls().fstat(fd).sizeBytes(),
          records,
          0,
          List.of(),
          ofUse ? Optional.empty() : Optional.of("of no use; opening does without it"));
    } finally {
      directory.calls().close(fd);
    }
  }

  /**
   * Rewrites each damaged file with all its whole records, and keeps the damaged one in a directory
   * beside. Crash-safe: wherever it stops, the store is as it was, or repaired in part or
   * completely, and the repair can be run again.
   */
  @Override
  public RepairResult repair(RepairListener listener) throws IOException {
    try (StoreDirectory directory = StoreDirectory.openExisting(calls, path)) {
      DirectoryLock lock = DirectoryLock.take(directory);
      try {
        Survey survey = Survey.of(directory, listener);
        StoreCheck found = check(directory, survey, listener);
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
      StoreDirectory directory, Survey survey, StoreCheck found, RepairListener listener)
      throws IOException {
    SecureRandom random = new SecureRandom();
    FileRepair repair = new FileRepair(directory, survey.identity(), random);
    try (SetAside aside = SetAside.make(directory, clock.instant())) {
      List<DataFileName> written = new ArrayList<>();
      aside.keep(IndexCheckpoint.NAME);
      long sequence = 0;
      for (SurveyedFile file : survey.files()) {
        if (file.isDamaged()) {
          aside.keep(file.name().path());
          aside.keep(file.name().hintPath());
          boolean isLast = file.number() == survey.files().size();
          repair.write(file, sequence, isLast ? survey.highestSequence() : 0);
          written.add(file.name());
        }
        sequence = file.lastSequence();
      }
      aside.sync();
      listener.beforeChange();
      // The last file first: once a file has changed, the checkpoint is useless, and without it
      // damage near the end of the last file looks like a torn tail.
      for (DataFileName name : written.reversed()) {
        directory.publish(name.temporaryPath(), name.path());
        directory.sync();
      }
      directory.delete(IndexCheckpoint.NAME);
      for (DataFileName name : written) {
        directory.delete(name.hintPath());
      }
      directory.sync();
      return new RepairResult(found, Optional.of(aside.path()));
    }
  }
}
