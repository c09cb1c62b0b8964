package dev.tailwater.store.log;

import java.util.List;

/**
 * A summary of a store's directory.
 *
 * @param keys keys that have a value
 * @param liveBytes bytes that these keys and values take in a log
 * @param logBytes length of all logs that are replayed at open
 * @param snapshotBytes length of the snapshot; 0 when there is none
 * @param logs number of logs that are replayed at open
 * @param tornBytes length of the torn tail that the next open cuts off
 * @param files what is read at open, in order
 * @param sealed whether the last user closed the store; not so after a crash, or while it is new
 */
public record StoreSummary(
    long keys,
    long liveBytes,
    long logBytes,
    long snapshotBytes,
    int logs,
    long tornBytes,
    List<FileSummary> files,
    boolean sealed) {
  public StoreSummary {
    files = List.copyOf(files);
  }

  /**
   * One file.
   *
   * @param operations puts and removals in it
   */
  public record FileSummary(String name, long sizeBytes, long operations) {}
}
