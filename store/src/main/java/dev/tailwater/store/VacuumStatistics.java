package dev.tailwater.store;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;

/**
 * Statistics of the vacuum of a data-file store since the store was opened.
 *
 * @param running whether files are being rewritten at this moment
 * @param rewrittenFiles files that were replaced
 * @param readBytes length of those
 * @param writtenBytes length of the files that stand in their places
 * @param heldBytes length of replaced files that a snapshot still needs
 * @param failures attempts that failed, for example for lack of space; each is made again later
 * @param lastFailure why the last one failed
 * @param damaged damaged files, which were left as they are
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

  /** The statistics of a store without a vacuum, or whose vacuum has done nothing. */
  public static final VacuumStatistics NONE =
      new VacuumStatistics(false, 0, 0, 0, 0, 0, Optional.empty(), List.of());

  public VacuumStatistics {
    damaged = List.copyOf(damaged);
  }

  /**
   * The place where a file is damaged.
   *
   * @param offsetBytes of the damaged record, or where a record should begin
   */
  public record Damage(PosixPath file, long offsetBytes, String reason) {}
}
