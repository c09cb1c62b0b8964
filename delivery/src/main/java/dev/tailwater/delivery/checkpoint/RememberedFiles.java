package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.store.Entry;
import dev.tailwater.store.StoreInspector;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that the state knows of one destination, read one after the other or by their identity.
 * For one thread.
 */
public final class RememberedFiles {
  private final String destination;
  private final Map<FileIdentity, List<Checkpoint>> inLog;
  private final Optional<StoreInspector> table;

  /**
   * Creates a view.
   *
   * @param inLog the checkpoints of an agent without a table
   * @param table the open table of files, of every destination
   */
  RememberedFiles(
      String destination,
      Map<FileIdentity, List<Checkpoint>> inLog,
      Optional<StoreInspector> table) {
    this.destination = destination;
    this.inLog = inLog;
    this.table = table;
  }

  /** Receives what is known of one file. */
  @FunctionalInterface
  public interface Action {
    /**
     * Receives a file.
     *
     * @param streams the checkpoints of the file's streams, one at least
     */
    void file(List<Checkpoint> streams) throws IOException;
  }

  /** Passes every file to the action, in no order. */
  public void forEach(Action action) throws IOException {
    for (List<Checkpoint> streams : inLog.values()) {
      action.file(streams);
    }
    if (table.isPresent()) {
      table.get().forEach(FileTable.prefix(destination), row -> action.file(streams(row)));
    }
  }

  /** Returns the checkpoints of the streams of a file; none if it is not known. */
  public List<Checkpoint> find(FileIdentity identity) throws IOException {
    if (table.isPresent()) {
      Optional<Entry> row = table.get().find(FileTable.key(destination, identity));
      if (row.isPresent()) {
        return streams(row.get());
      }
    }
    return inLog.getOrDefault(identity, List.of());
  }

  private static List<Checkpoint> streams(Entry row) throws IOException {
    return FileRow.decode(row.value()).checkpoints();
  }

  /** Returns whether the state takes the two for the same file: another device may be the same. */
  public static boolean isSame(FileIdentity one, FileIdentity other) {
    return one.anywhere().orElse(one).equals(other.anywhere().orElse(other));
  }

  /** Returns the checkpoint of a file's stream after its last truncation. */
  public static Optional<Checkpoint> last(Collection<Checkpoint> streams) {
    return streams.stream().max(Comparator.comparingInt(stream -> stream.origin().id().epoch()));
  }
}
