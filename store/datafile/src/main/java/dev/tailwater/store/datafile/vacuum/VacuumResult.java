package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.VacuumStatistics.Damage;
import java.util.List;

/**
 * What a full vacuum has done.
 *
 * @param bytesBefore length of all data files when it began
 * @param bytesAfter their length when it ended; others may have written meanwhile
 * @param rewrittenFiles files that were replaced
 * @param writtenFiles files that stand in their places
 * @param damaged files that are not as they were written, and were left as they are
 */
public record VacuumResult(
    long bytesBefore, long bytesAfter, int rewrittenFiles, int writtenFiles, List<Damage> damaged) {
  public VacuumResult {
    damaged = List.copyOf(damaged);
  }
}
