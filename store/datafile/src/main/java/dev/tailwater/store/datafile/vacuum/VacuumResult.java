package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.VacuumStatistics.Damage;
import java.util.List;

/**
 * The result of a full vacuum.
 *
 * @param bytesBefore length of all data files when it began
 * @param bytesAfter their length when it ended; others may have written meanwhile
 * @param rewrittenFiles files that were replaced
 * @param writtenFiles files that replaced them
 * @param damaged damaged files, which were left as they are
 */
public record VacuumResult(
    long bytesBefore, long bytesAfter, int rewrittenFiles, int writtenFiles, List<Damage> damaged) {
  public VacuumResult {
    damaged = List.copyOf(damaged);
  }
}
