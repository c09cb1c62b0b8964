package dev.tailwater.store.datafile.index;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A view of the index as it was at one moment. It shares the tables until they are changed: the
 * first change of a partition copies its table, and leaves the old one to the views. Thread-safe,
 * except {@link #close()}, after which nothing may be called.
 */
public final class IndexView implements Locations, AutoCloseable {
  private final Partition[] partitions;
  private final ViewNumbers views;
  private final long number;
  private final long size;

  /** Tables that are not current any more, as far as the view has met them. */
  private final AtomicReferenceArray<@Nullable Table> kept =
      new AtomicReferenceArray<>(Partitions.COUNT);

  IndexView(Partition[] partitions, ViewNumbers views, long size) {
    this.partitions = partitions;
    this.views = views;
    this.number = views.begin();
    this.size = size;
  }

  /** Number of entries. */
  public long size() {
    return size;
  }

  @Override
  public long find(long hash) {
    long[] locations = new long[1];
    return switch (findAll(hash, locations)) {
      case 0 -> Location.NONE;
      case 1 -> locations[0];
      default -> Location.SEVERAL;
    };
  }

  @Override
  public int findAll(long hash, long[] locations) {
    int partition = Partitions.of(hash);
    while (true) {
      Table table = kept(partition);
      int found =
          table == null
              ? partitions[partition].findAllFor(number, hash, locations)
              : table.findAll(hash, locations);
      if (found >= 0) {
        return found;
      }
    }
  }

  /**
   * Fills the buffer with entries of one partition, from this hash on.
   *
   * @param fromHash one of the partition: {@code Index.firstHash} to begin with
   */
  public void entries(int partition, long fromHash, EntryBuffer into) {
    boolean filled = false;
    while (!filled) {
      Table table = kept(partition);
      filled =
          table == null
              ? partitions[partition].entriesFor(number, fromHash, into)
              : table.entriesFrom(fromHash, into);
    }
  }

  private @Nullable Table kept(int partition) {
    Table table = kept.get(partition);
    if (table == null) {
      table = partitions[partition].keptFor(number);
      kept.set(partition, table);
    }
    return table;
  }

  /** Frees the memory that nobody else needs. */
  @Override
  public void close() {
    views.end(number);
    for (Partition partition : partitions) {
      partition.releaseUnneeded();
    }
  }
}
