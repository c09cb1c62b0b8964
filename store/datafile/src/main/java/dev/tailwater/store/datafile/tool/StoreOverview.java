package dev.tailwater.store.datafile.tool;

import java.util.List;
import java.util.OptionalLong;

/**
 * An overview of a store: how much it holds, and where.
 *
 * @param keys keys that have a value, expired ones too
 * @param liveBytes length of their records in the files; for a transaction log, as operations
 * @param files in the order in which they are read at open
 * @param lastVersion version of the newest write; empty for a transaction log
 * @param indexBytes memory of the index of the open store; empty: it has none
 * @param tornBytes length of the torn tail that the next open cuts off
 * @param sealed whether the last user closed the store; not so after a crash, or while it is new
 */
public record StoreOverview(
    StoreMode mode,
    long keys,
    long liveBytes,
    List<FileOverview> files,
    OptionalLong lastVersion,
    OptionalLong indexBytes,
    long tornBytes,
    boolean sealed) {
  public StoreOverview {
    files = List.copyOf(files);
  }

  /**
   * One file.
   *
   * @param records records or operations in it; empty where they were not counted
   * @param liveBytes length of the records that are the newest of their key; empty where unknown
   */
  public record FileOverview(
      String name, long sizeBytes, OptionalLong records, OptionalLong liveBytes) {}

  /** Returns the length of all files. */
  public long fileBytes() {
    return files.stream().mapToLong(FileOverview::sizeBytes).sum();
  }

  /** Returns the length of all files divided by the live bytes; 0 when nothing is live. */
  public double spaceAmplification() {
    return liveBytes == 0 ? 0 : (double) fileBytes() / liveBytes;
  }
}
