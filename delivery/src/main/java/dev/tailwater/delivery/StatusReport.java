package dev.tailwater.delivery;

import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.neighbour.NeighbourReport;
import dev.tailwater.delivery.notice.Notice;
import dev.tailwater.delivery.notice.NoticeForecast;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.io.watch.WatchStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The status of an agent.
 *
 * @param pid the agent's process; empty when no agent runs, and the report is of what the last one
 *     left
 * @param files how many are watched
 * @param watching how changes in them are noticed; empty when no agent runs
 * @param atRiskBytes bytes written and not yet durable at every required destination: what a power
 *     cut would lose now
 * @param oldestAtRiskMillis how long ago the oldest of them was seen in its file; 0 when nothing is
 *     at risk
 * @param deliveredBytes since the agent started; with several required destinations, this and the
 *     next two are those of the slowest one
 * @param atRisk the files with the most at risk, most first
 * @param destinations the status of each, including the best-effort ones
 * @param losses what is in no archive, and so not at risk any more
 * @param neighbour what is done for other programs on the machine; empty when no agent runs
 * @param safety what is done so that little is lost
 * @param notices what is known of the end of the machine; empty when nobody watches for it
 */
public record StatusReport(
    String agent,
    OptionalLong pid,
    boolean draining,
    long startedAtMillis,
    long files,
    Optional<Watching> watching,
    long atRiskBytes,
    long oldestAtRiskMillis,
    long deliveredBytes,
    long deliveredSegments,
    long storedBytes,
    List<FileAtRisk> atRisk,
    List<Problem> problems,
    List<AtDestination> destinations,
    Losses.Report losses,
    Optional<NeighbourReport> neighbour,
    Safety safety,
    Optional<NoticeReport> notices) {

  /**
   * Returns the same report with what is known of the end of the machine.
   *
   * @param besides problems that are not the agent's own
   */
  public StatusReport withNotices(NoticeReport known, List<Problem> besides) {
    List<Problem> all = new ArrayList<>(problems);
    all.addAll(besides);
    return new StatusReport(
        agent,
        pid,
        draining,
        startedAtMillis,
        files,
        watching,
        atRiskBytes,
        oldestAtRiskMillis,
        deliveredBytes,
        deliveredSegments,
        storedBytes,
        atRisk,
        all,
        destinations,
        losses,
        neighbour,
        safety,
        Optional.of(known));
  }

  /**
   * What is known of the end of the machine.
   *
   * @param watched the names of the sources that are watched
   * @param reason why a cloud is among them, or none is; empty where none was looked for
   * @param notices the notices in force
   */
  public record NoticeReport(List<String> watched, String reason, List<NoticeStatus> notices) {
    /** Creates the report as of this time of the monotonic clock. */
    public static NoticeReport of(
        List<String> watched, String reason, NoticeForecast forecast, long nowNanos) {
      return new NoticeReport(
          watched,
          reason,
          forecast.active().stream()
              .map(
                  notice ->
                      new NoticeStatus(
                          notice.source(),
                          notice.notice().kind(),
                          notice.notice().text(),
                          notice.left(nowNanos)))
              .toList());
    }
  }

  /**
   * A notice in force.
   *
   * @param source the name of the source that gave it
   * @param left the time until its deadline; empty when it has none
   */
  public record NoticeStatus(
      String source, Notice.Kind kind, String text, Optional<Duration> left) {}

  /**
   * What is done so that little is lost.
   *
   * @param lastDrain the last drain that has ended in this run
   * @param bound how the bound on what is at risk is kept, if there is one
   */
  public record Safety(
      DrainPhase phase, Optional<LastDrain> lastDrain, Optional<BoundWatch.Report> bound) {
    /** The safety of an agent that does not run. */
    static final Safety NONE = new Safety(DrainPhase.STEADY, Optional.empty(), Optional.empty());
  }

  /** How a drain ended. */
  public record LastDrain(
      long endedAtMillis, long tookMillis, long deliveredBytes, long leftBehindBytes) {}

  /**
   * The status of one destination.
   *
   * @param required whether bytes are at risk until they are durable here
   * @param connected whether it has told what it holds, if it must be asked
   * @param atRiskBytes bytes written and not yet durable here
   * @param mergedSegments how many long segments were made of short ones
   * @param supersededSegments how many short segments were removed after that
   * @param mergedBytes raw bytes in the merged segments; each counts as often as it was merged
   * @param sealedSegments how many were sealed for it; the others it shares with another
   */
  public record AtDestination(
      String name,
      String uri,
      boolean required,
      boolean connected,
      long atRiskBytes,
      long oldestAtRiskMillis,
      long deliveredBytes,
      long deliveredSegments,
      long sealedSegments,
      long storedBytes,
      long mergedSegments,
      long supersededSegments,
      long mergedBytes) {}

  /**
   * How changes in files are noticed.
   *
   * @param inotifyDirectories directories watched by inotify(7)
   * @param fanotifyDirectories directories watched by fanotify(7), for a whole file system
   * @param polledDirectories directories that are scanned now and then
   * @param hotDirectories those watched by inotify whose files are polled, since so much is written
   *     there
   * @param leftOut files and directories for which there was no memory when they were last listed
   * @param foreignLinks files that are left out because somebody else may have linked them there
   * @param tickMillis how long changes are collected at present before they are looked at
   */
  public record Watching(
      long inotifyDirectories,
      long fanotifyDirectories,
      long polledDirectories,
      long hotDirectories,
      long leftOut,
      long foreignLinks,
      long tickMillis) {
    static Watching of(WatchStatistics statistics, long foreignLinks) {
      return new Watching(
          statistics.inotifyDirectories(),
          statistics.fanotifyDirectories(),
          statistics.polledDirectories(),
          statistics.hotDirectories(),
          statistics.leftOut(),
          foreignLinks,
          statistics.tickMillis());
    }
  }

  /** One file's bytes at risk. */
  public record FileAtRisk(String path, String stream, long sizeBytes, long durableBytes) {}
}
