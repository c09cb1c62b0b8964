package dev.tailwater.store.datafile.tool;

import java.util.List;
import java.util.OptionalLong;

/**
 * How much a store holds, and where.
 *
 * @param keys keys that have a value, expired ones too
 * @param liveBytes what they take in the files, or of those of a transaction log would
 * @param files in the order in which they are read at open
 * @param lastVersion version of the newest write; empty where the mode does not say
 * @param indexBytes memory that the index takes when the store is open; empty: it has none
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
   * @param records records or operations in it; empty where it was not counted
   * @param liveBytes what of it is the newest of its key; empty where that is not known
   */
  public record FileOverview(
      String name, long sizeBytes, OptionalLong records, OptionalLong liveBytes) {}

  /** Length of all files. */
  public long fileBytes() {
    return files.stream().mapToLong(FileOverview::sizeBytes).sum();
  }

  /** How many times as long the files are as what is live; 0 when nothing is. */
  public double spaceAmplification() {
    return liveBytes == 0 ? 0 : (double) fileBytes() / liveBytes;
  }
}
