package dev.tailwater.archive.record;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.ReceiptName;
import java.util.Optional;

/**
 * What an agent has delivered, in its own words.
 *
 * @param previous the last receipt of the run before, as far as this run knew of it
 * @param atMillis when it was written, milliseconds since 1970
 * @param closed whether the agent ended after it
 */
public record Receipt(
    ReceiptName name,
    Optional<Previous> previous,
    long atMillis,
    boolean closed,
    Acknowledged acknowledged) {
  /**
   * The last receipt of a run.
   *
   * @param last its number
   */
  public record Previous(PackGroup run, int last) {}
}
