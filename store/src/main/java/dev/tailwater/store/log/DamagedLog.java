package dev.tailwater.store.log;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.SetAside;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.recovery.FilePlan;
import dev.tailwater.store.log.recovery.StoreContents;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A damaged transaction-log store whose contents can be done without: its files are set aside, and
 * an empty store can begin in its directory.
 */
public final class DamagedLog {
  private DamagedLog() {}

  /**
   * What was set aside.
   *
   * @param directory where the files are now
   * @param damage the damage that was found
   */
  public record Aside(PosixPath directory, DamagedStoreException damage) {}

  /**
   * Moves the files of the store durably into a directory beside them when one of them is damaged;
   * else changes nothing. Nobody may have the store open.
   *
   * @param prefix what the name of that directory begins with; the time follows
   * @param beside names in the same directory that are worth nothing without the store: moved too
   * @throws IOException when the store cannot be read for another reason than damage
   */
  public static Optional<Aside> setAside(
      FileCalls calls, PosixPath directory, String prefix, Instant now, Set<PosixPath> beside)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      StoreDirectory store = unwinding.add(StoreDirectory.openExisting(calls, directory));
      unwinding.add(DirectoryLock.take(store));
      try {
        var _ = StoreContents.read(store, FilePlan.of(store));
        return Optional.empty();
      } catch (DamagedStoreException damaged) {
        return Optional.of(new Aside(move(store, prefix, now, beside), damaged));
      }
    }
  }

  /**
   * Moves the files as {@link #setAside} does, since something else is damaged without which they
   * are worth nothing.
   *
   * @param damage what is damaged
   */
  public static Aside setAsideBecause(
      DamagedStoreException damage,
      FileCalls calls,
      PosixPath directory,
      String prefix,
      Instant now,
      Set<PosixPath> beside)
      throws IOException {
    try (Unwinding unwinding = new Unwinding()) {
      StoreDirectory store = unwinding.add(StoreDirectory.openExisting(calls, directory));
      unwinding.add(DirectoryLock.take(store));
      return new Aside(move(store, prefix, now, beside), damage);
    }
  }

  /**
   * Moves them in the order of their numbers: what a crash leaves is the same damaged store, or one
   * without its first log, but never an earlier state of it.
   */
  private static PosixPath move(
      StoreDirectory store, String prefix, Instant now, Set<PosixPath> beside) throws IOException {
    List<LogFileName> names = new ArrayList<>();
    List<PosixPath> others = new ArrayList<>();
    for (DirectoryEntry entry : store.entries()) {
      LogFileName.parse(entry.name()).ifPresent(names::add);
      if (beside.contains(entry.name())) {
        others.add(entry.name());
      }
    }
    names.sort(Comparator.comparingLong(LogFileName::sequence));
    try (SetAside aside = SetAside.make(store, prefix, now)) {
      for (PosixPath other : others) {
        aside.move(other);
        aside.sync();
      }
      for (LogFileName name : names) {
        aside.move(name.path());
        aside.sync();
      }
      return aside.path();
    }
  }
}
