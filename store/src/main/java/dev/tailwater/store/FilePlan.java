package dev.tailwater.store;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which files of a directory make up the store: the newest snapshot and every log after it.
 *
 * @param snapshot the newest one; empty when there is none
 * @param logs in order, without a hole
 * @param obsolete logs and snapshots that the snapshot replaces; a crash can leave them
 * @param temporary files that were never completed
 */
record FilePlan(
    Optional<StoreFileName> snapshot,
    List<StoreFileName> logs,
    List<StoreFileName> obsolete,
    List<PosixPath> temporary) {

  /** Throws when a file is missing that must be there. Other names are not looked at. */
  static FilePlan of(StoreDirectory directory) throws IOException {
    List<StoreFileName> names = new ArrayList<>();
    List<PosixPath> temporary = new ArrayList<>();
    for (DirectoryEntry entry : directory.entries()) {
      StoreFileName.parse(entry.name()).ifPresent(names::add);
      if (StoreFileName.isTemporary(entry.name())) {
        temporary.add(entry.name());
      }
    }
    names.sort(Comparator.comparingLong(StoreFileName::sequence));
    Optional<StoreFileName> snapshot =
        names.stream()
            .filter(name -> name.kind() == FileKind.SNAPSHOT)
            .reduce((older, newer) -> newer);
    long replaced = snapshot.map(StoreFileName::sequence).orElse(0L);
    List<StoreFileName> logs =
        names.stream()
            .filter(name -> name.kind() == FileKind.LOG && name.sequence() > replaced)
            .toList();
    checkComplete(directory, snapshot, logs, replaced);
    return new FilePlan(snapshot, logs, obsolete(names, snapshot, replaced), temporary);
  }

  private static List<StoreFileName> obsolete(
      List<StoreFileName> names, Optional<StoreFileName> snapshot, long replaced) {
    return names.stream()
        .filter(name -> name.sequence() <= replaced && !Optional.of(name).equals(snapshot))
        .toList();
  }

  private static void checkComplete(
      StoreDirectory directory,
      Optional<StoreFileName> snapshot,
      List<StoreFileName> logs,
      long replaced)
      throws DamagedStoreException {
    // The log after a snapshot is made before the snapshot, so it must be there.
    long last = logs.isEmpty() ? replaced + snapshot.stream().count() : logs.getLast().sequence();
    for (long sequence = replaced + 1; sequence <= last; sequence++) {
      StoreFileName expected = new StoreFileName(FileKind.LOG, sequence);
      if (!logs.contains(expected)) {
        throw new DamagedStoreException(directory.pathOf(expected), 0, "the file is missing");
      }
    }
  }
}
