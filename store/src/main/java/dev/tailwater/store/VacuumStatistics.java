package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * What the vacuum of a data-file store has done since the store was opened.
 *
 * @param running whether files are being rewritten at this moment
 * @param rewrittenFiles files that were replaced
 * @param readBytes length of those
 * @param writtenBytes length of the files that stand in their places
 * @param heldBytes length of replaced files that are still there, because a snapshot needs them
 * @param failures attempts that were given up, as for want of space; each is made again later
 * @param lastFailure why the last one was
 * @param damaged files that are not as they were written, which were left as they are
 */
public record VacuumStatistics(
    boolean running,
    long rewrittenFiles,
    long readBytes,
    long writtenBytes,
    long heldBytes,
    long failures,
    Optional<String> lastFailure,
    List<Damage> damaged) {

  /** Of a store that has no vacuum, or where it has done nothing. */
  public static final VacuumStatistics NONE =
      new VacuumStatistics(false, 0, 0, 0, 0, 0, Optional.empty(), List.of());

  public VacuumStatistics {
    damaged = List.copyOf(damaged);
  }

  /**
   * Where a file is not as it was written.
   *
   * @param offsetBytes of the record that is not right, or where one should begin
   */
  public record Damage(PosixPath file, long offsetBytes, String reason) {}
}
