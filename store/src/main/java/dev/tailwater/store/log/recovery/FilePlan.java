package dev.tailwater.store.log.recovery;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.UnsupportedStoreFormatException;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.LogFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of a directory that make up the store: the newest snapshot and every log after it.
 *
 * @param snapshot the newest one; empty when there is none
 * @param logs in order; complete when {@link #missing()} is empty
 * @param obsolete logs and snapshots that the snapshot replaces; a crash can leave them
 * @param temporary files that were never completed
 */
public record FilePlan(
    Optional<LogFileName> snapshot,
    List<LogFileName> logs,
    List<LogFileName> obsolete,
    List<PosixPath> temporary) {
  /** A store of the other mode: beside it, nobody would find either. */
  private static final Pattern DATA_FILE = Pattern.compile("data-[0-9-]+");

  /** Returns the plan; throws when a required file is missing. Ignores other names. */
  public static FilePlan of(StoreDirectory directory) throws IOException {
    FilePlan plan = list(directory);
    List<LogFileName> missing = plan.missing();
    if (!missing.isEmpty()) {
      throw new DamagedStoreException(
          directory.pathOf(missing.getFirst().path()), 0, "the file is missing");
    }
    return plan;
  }

  /** Returns the plan of what is there, complete or not. */
  public static FilePlan list(StoreDirectory directory) throws IOException {
    List<LogFileName> names = new ArrayList<>();
    List<PosixPath> temporary = new ArrayList<>();
    for (DirectoryEntry entry : directory.entries()) {
      if (DATA_FILE.matcher(entry.name().toString()).matches()) {
        throw new UnsupportedStoreFormatException(
            directory.pathOf(entry.name()), 2, 2, "mode 1 (transaction log)");
      }
      LogFileName.parse(entry.name()).ifPresent(names::add);
      if (LogFileName.isTemporary(entry.name())) {
        temporary.add(entry.name());
      }
    }
    names.sort(Comparator.comparingLong(LogFileName::sequence));
    Optional<LogFileName> snapshot =
        names.stream()
            .filter(name -> name.kind() == FileKind.SNAPSHOT)
            .reduce((older, newer) -> newer);
    long replaced = snapshot.map(LogFileName::sequence).orElse(0L);
    List<LogFileName> logs =
        names.stream()
            .filter(name -> name.kind() == FileKind.LOG && name.sequence() > replaced)
            .toList();
    return new FilePlan(snapshot, logs, obsolete(names, snapshot, replaced), temporary);
  }

  private static List<LogFileName> obsolete(
      List<LogFileName> names, Optional<LogFileName> snapshot, long replaced) {
    return names.stream()
        .filter(name -> name.sequence() <= replaced && !Optional.of(name).equals(snapshot))
        .toList();
  }

  /** Returns the required logs that are missing. */
  public List<LogFileName> missing() {
    long replaced = snapshot.map(LogFileName::sequence).orElse(0L);
    List<LogFileName> missing = new ArrayList<>();
    long expected = replaced + 1;
    for (LogFileName log : logs) {
      if (log.sequence() != expected) {
        missing.add(new LogFileName(FileKind.LOG, expected)); // the first of each hole
      }
      expected = log.sequence() + 1;
    }
    // The log after a snapshot is made before the snapshot, so it must be there.
    if (logs.isEmpty() && snapshot.isPresent()) {
      missing.add(new LogFileName(FileKind.LOG, expected));
    }
    return missing;
  }
}
