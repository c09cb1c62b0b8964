package dev.tailwater.delivery;

import dev.tailwater.delivery.problem.Problem;
import java.util.List;
import java.util.OptionalLong;

/**
 * What an agent is doing.
 *
 * @param pid the agent's process; empty when no agent runs, and the report is of what the last one
 *     left
 * @param files how many are watched
 * @param atRiskBytes bytes written and not yet durable: what a power cut would lose now
 * @param oldestAtRiskMillis for how long the oldest of them has been unread; 0 when nothing is
 * @param atRisk the files with the most at risk, most first
 */
public record StatusReport(
    String agent,
    OptionalLong pid,
    String destination,
    boolean draining,
    long startedAtMillis,
    long files,
    long atRiskBytes,
    long oldestAtRiskMillis,
    long deliveredBytes,
    long deliveredSegments,
    long storedBytes,
    List<FileAtRisk> atRisk,
    List<Problem> problems) {

  /** One file's bytes at risk. */
  public record FileAtRisk(String path, String stream, long sizeBytes, long durableBytes) {}
}
