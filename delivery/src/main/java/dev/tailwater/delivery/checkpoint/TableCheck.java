package dev.tailwater.delivery.checkpoint;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the whole table of files, so that damage is found while it can be set aside, and notes
 * which files it has. Removes the names that agents of earlier versions wrote into it.
 */
final class TableCheck {
  private static final int REMOVED_AT_ONCE = 4_096;

  private final KeyValueStore table;
  private final KnownGenerations generations;
  private final Map<String, Long> filesByDestination = new HashMap<>();
  private WriteBatch removing = new WriteBatch();

  /**
   * The files that are in a table.
   *
   * @param countByDestination how many there are, by the hash of the destination
   * @param generations of their inodes
   */
  record Found(Map<String, Long> countByDestination, KnownGenerations generations) {}

  private TableCheck(KeyValueStore table, long entries) {
    this.table = table;
    this.generations = new KnownGenerations(entries);
  }

  /** Returns which files are in the table. */
  static Found run(KeyValueStore table) throws IOException {
    try (StoreSnapshot snapshot = table.snapshot()) {
      TableCheck check = new TableCheck(table, snapshot.size());
      snapshot.forEach(new byte[0], entry -> check.add(entry.key()));
      check.remove();
      return new Found(check.filesByDestination, check.generations);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void add(byte[] key) {
    if (NameTable.isName(key)) {
      removing.remove(key);
      if (removing.size() >= REMOVED_AT_ONCE) {
        try {
          remove();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    } else if (FileTable.isFile(key)) {
      String destination = FileTable.destinationOf(key);
      filesByDestination.merge(destination, 1L, Long::sum);
      FileTable.identityOf(key, destination).ifPresent(generations::add);
    }
  }

  private void remove() throws IOException {
    if (removing.size() > 0) {
      table.apply(removing, NameTable.FOR_THIS_RUN);
      removing = new WriteBatch();
    }
  }
}
