package dev.tailwater.store;

import java.time.Duration;
import java.util.Optional;

/**
 * Statistics of a store. Those that count events do so since it was opened.
 *
 * @param keys keys that have a value, including expired ones that were not removed yet
 * @param liveBytes bytes that these keys and values take in a log
 * @param logBytes length of all logs that would be replayed
 * @param snapshotBytes length of the snapshot; 0 when there is none yet
 * @param writes acknowledged puts, removals and batches
 * @param commits groups of writes; each took one fdatasync
 * @param compactions snapshots that were completed
 * @param compactionFailures snapshots that were not; the store goes on with a longer log
 * @param lastCompactionFailure why the last failed compaction failed
 * @param cutBytes length of the torn tail that was cut off when the store was opened
 * @param reads how values were found
 * @param snapshots snapshots that are open
 * @param vacuum what the vacuum has done; nothing in transaction-log mode
 */
public record StoreStatistics(
    long keys,
    long liveBytes,
    long logBytes,
    long snapshotBytes,
    long writes,
    long commits,
    long compactions,
    long compactionFailures,
    Optional<String> lastCompactionFailure,
    long cutBytes,
    ReadStatistics reads,
    SnapshotStatistics snapshots,
    VacuumStatistics vacuum) {
  /**
   * Snapshots that were taken and not closed. One that grows old may have been forgotten.
   *
   * @param open how many
   * @param oldestAge age of the oldest, by the store's clock; zero when there is none
   */
  public record SnapshotStatistics(int open, Duration oldestAge) {}
}
