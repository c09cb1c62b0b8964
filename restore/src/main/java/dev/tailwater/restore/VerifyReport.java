package dev.tailwater.restore;

import java.util.List;

/**
 * What was found out about an archive.
 *
 * @param streams one entry for each stream that was meant, in the order of the index
 * @param quick whether only names were looked at
 * @param foreign what else lies at the destination
 * @param outcome {@link Outcome#PARTIAL} when anything is missing or damaged; {@link
 *     Outcome#FAILED} when not one segment could be opened, or something was selected and nothing
 *     was found
 */
public record VerifyReport(
    List<VerifiedStream> streams, boolean quick, ForeignObjects foreign, Outcome outcome) {
  public VerifyReport {
    streams = List.copyOf(streams);
  }

  public long bytes() {
    return streams.stream().mapToLong(VerifiedStream::bytes).sum();
  }
}
