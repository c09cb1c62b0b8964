package dev.tailwater.delivery.checkpoint;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the whole table of files, so that damage is found while it can be set aside, and counts its
 * files. Removes the names that agents of earlier versions wrote into it.
 */
final class TableCheck {
  private static final int REMOVED_AT_ONCE = 4_096;

  private final KeyValueStore table;
  private final Map<String, Long> filesByDestination = new HashMap<>();
  private WriteBatch removing = new WriteBatch();

  private TableCheck(KeyValueStore table) {
    this.table = table;
  }

  /** Returns how many files are in the table, by the hash of the destination. */
  static Map<String, Long> run(KeyValueStore table) throws IOException {
    TableCheck check = new TableCheck(table);
    try (StoreSnapshot snapshot = table.snapshot()) {
      snapshot.forEach(new byte[0], entry -> check.add(entry.key()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    check.remove();
    return check.filesByDestination;
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
      filesByDestination.merge(FileTable.destinationOf(key), 1L, Long::sum);
    }
  }

  private void remove() throws IOException {
    if (removing.size() > 0) {
      table.apply(removing, NameTable.FOR_THIS_RUN);
      removing = new WriteBatch();
    }
  }
}
