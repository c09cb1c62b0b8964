package dev.tailwater.cli.estimate;

import dev.tailwater.delivery.pack.PackUse;
import java.time.Duration;

/**
 * The settings that decide how many objects there are.
 *
 * @param kind of the destination
 * @param segmentBytes the length at which a segment is cut, compressed
 * @param mergeToBytes 0: nothing is merged
 * @param packs when what fills no segment travels in packs
 * @param ratio stored bytes for each byte that is written
 * @param overheadBytes what an object takes beside the bytes of files
 */
public record Terms(
    StoreKind kind,
    Duration maxAge,
    long segmentBytes,
    long mergeToBytes,
    PackUse packs,
    double ratio,
    int overheadBytes) {

  /** Returns the same terms with another use of packs. */
  Terms withPacks(PackUse use) {
    return new Terms(kind, maxAge, segmentBytes, mergeToBytes, use, ratio, overheadBytes);
  }

  /** Returns whether packs are in use while files grow like this. */
  boolean usesPacks(Workload workload) {
    return !packs.isNever()
        && (packs.isAlways() || workload.waitingFiles(maxAgeSeconds()) >= packs.leastFiles());
  }

  double maxAgeSeconds() {
    return maxAge.toMillis() / 1000.0;
  }
}
