package dev.tailwater.delivery.status;

import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.delivery.drain.DrainPhase;
import dev.tailwater.delivery.neighbour.NeighbourReport;
import dev.tailwater.delivery.notice.Notice;
import dev.tailwater.delivery.notice.NoticeForecast;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.delivery.watch.WatchLoop;
import dev.tailwater.io.watch.WatchStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The status of an agent.
 *
 * @param running the agent at work; empty when none runs, and the report is of what the last one
 *     left
 * @param progress of the whole agent: a byte is durable when every required destination has it, and
 *     what is delivered is that of the slowest one
 * @param destinations the status of each, including the best-effort ones
 * @param safety what is done so that little is lost
 */
public record StatusReport(
    String agent,
    Optional<Running> running,
    Progress progress,
    Files files,
    List<AtDestination> destinations,
    List<Problem> problems,
    Safety safety) {

  /** Returns whether the agent drains. */
  public boolean draining() {
    return safety.phase() != DrainPhase.STEADY;
  }

  /**
   * Returns the same report with what is known of the end of the machine.
   *
   * @param besides problems that are not the agent's own
   */
  public StatusReport withNotices(NoticeReport known, List<Problem> besides) {
    List<Problem> all = new ArrayList<>(problems);
    all.addAll(besides);
    return new StatusReport(
        agent, running, progress, files, destinations, all, safety.withNotices(known));
  }

  /**
   * An agent at work.
   *
   * @param pid its process
   * @param watching how changes in files are noticed
   * @param neighbour what is done for other programs on the machine
   * @param signingKey the key that its signatures are checked with; empty if it does not sign
   * @param signaturesRequired whether objects must be signed for the agent to believe what they say
   *     that it has delivered
   */
  public record Running(
      long pid,
      long startedAtMillis,
      Watching watching,
      NeighbourReport neighbour,
      Optional<VerifyingKey> signingKey,
      boolean signaturesRequired) {}

  /**
   * What is at risk, and what is delivered since the agent started.
   *
   * @param atRiskBytes bytes written and not yet durable: what a power cut would lose now
   * @param oldestAtRiskMillis how long ago the oldest of them was seen in its file; 0 when nothing
   *     is at risk
   */
  public record Progress(
      long atRiskBytes,
      long oldestAtRiskMillis,
      long deliveredBytes,
      long deliveredSegments,
      long storedBytes) {
    /** Returns the progress of an agent that does not run. */
    public static Progress ofNone(long atRiskBytes) {
      return new Progress(atRiskBytes, 0, 0, 0, 0);
    }
  }

  /**
   * The files.
   *
   * @param watched how many are watched
   * @param atRiskFiles how many have something at risk
   * @param atRisk those with the most at risk, most first; {@link #MOST_NAMED} at the most
   * @param losses what is in no archive, and so not at risk any more
   * @param uncomparedFiles how many have nothing at risk as far as is known, but may have been
   *     written to since they were compared with what is durable; known of an agent only that does
   *     not run
   */
  public record Files(
      long watched,
      long atRiskFiles,
      List<FileAtRisk> atRisk,
      Losses.Report losses,
      long uncomparedFiles) {
    /** How many files are named at the most. */
    public static final int MOST_NAMED = 20;
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
   * @param notices what is known of the end of the machine; empty when nobody watches for it
   */
  public record Safety(
      DrainPhase phase,
      Optional<LastDrain> lastDrain,
      Optional<BoundWatch.Report> bound,
      Optional<NoticeReport> notices) {
    /** The safety of an agent that does not run. */
    public static final Safety NONE =
        new Safety(DrainPhase.STEADY, Optional.empty(), Optional.empty(), Optional.empty());

    private Safety withNotices(NoticeReport known) {
      return new Safety(phase, lastDrain, bound, Optional.of(known));
    }
  }

  /** How a drain ended. */
  public record LastDrain(
      long endedAtMillis, long tookMillis, long deliveredBytes, long leftBehindBytes) {}

  /**
   * The status of one destination.
   *
   * @param required whether bytes are at risk until they are durable here
   * @param connected whether it has told what it holds, if it must be asked
   * @param progress how much is durable here, and not yet
   * @param sealedSegments how many were sealed for it; the others it shares with another
   * @param untrustedObjects how many objects say what the agent has delivered and are not believed,
   *     since no trusted key has signed them
   */
  public record AtDestination(
      String name,
      String uri,
      boolean required,
      boolean connected,
      Progress progress,
      long sealedSegments,
      Merged merged,
      long untrustedObjects) {}

  /**
   * What was merged.
   *
   * @param segments how many long segments were made of short ones
   * @param supersededSegments how many short segments were removed after that
   * @param rawBytes raw bytes in the merged segments; each counts as often as it was merged
   * @param gatheredSegments how many of the long segments were made of bytes in packs
   * @param notGathered how many of these were not made, since the file is gone or has other bytes
   */
  public record Merged(
      long segments,
      long supersededSegments,
      long rawBytes,
      long gatheredSegments,
      long notGathered) {
    /** What an agent has merged that does not run. */
    public static final Merged NOTHING = new Merged(0, 0, 0, 0, 0);
  }

  /**
   * How changes in files are noticed.
   *
   * @param inotifyDirectories directories watched by inotify(7)
   * @param fanotifyDirectories directories watched by fanotify(7), for a whole file system
   * @param polledDirectories directories that are scanned now and then
   * @param hotDirectories those watched by inotify whose files are polled, since so much is written
   *     there
   * @param leftOut files and directories for which there was no memory when they were last listed
   * @param waitingFiles files that wait to be opened, for lack of descriptors or memory; what is
   *     written to them is at risk, and not counted
   * @param waitingByOwner how many of them belong to each owner, by user id
   * @param unopenedFiles files and directories that could not be opened; what is in them is at
   *     risk, and not counted
   * @param unseenMillis for how long no source was looked at, since a look does not end; 0 while
   *     they are. What is at risk is not known then
   * @param searching whether not every file that was there at the start was looked at yet; what the
   *     others lack is at risk, and not counted
   * @param searchWaits whether there may be more files, which are not looked for until those that
   *     wait could be opened
   * @param symbolicLinks symbolic links that are left out, as of the last listing of each directory
   * @param foreignLinks files that are left out because somebody else may have linked them there
   * @param tickMillis how long changes are collected at present before they are looked at
   */
  public record Watching(
      long inotifyDirectories,
      long fanotifyDirectories,
      long polledDirectories,
      long hotDirectories,
      long leftOut,
      long waitingFiles,
      Map<Long, Long> waitingByOwner,
      long unopenedFiles,
      long unseenMillis,
      boolean searching,
      boolean searchWaits,
      long symbolicLinks,
      long foreignLinks,
      long tickMillis) {
    public static Watching of(
        WatchStatistics statistics, WatchLoop watch, long unseenMillis, long symbolicLinks) {
      return new Watching(
          statistics.inotifyDirectories(),
          statistics.fanotifyDirectories(),
          statistics.polledDirectories(),
          statistics.hotDirectories(),
          statistics.leftOut(),
          watch.waitingFiles(),
          watch.waitingByOwner(),
          watch.unopenedFiles(),
          unseenMillis,
          !watch.firstScan().isDone(),
          watch.isHeld(),
          symbolicLinks,
          watch.foreignLinks(),
          statistics.tickMillis());
    }
  }

  /** One file's bytes at risk. */
  public record FileAtRisk(String path, String stream, long sizeBytes, long durableBytes) {
    /** Returns how many of its bytes are at risk. */
    public long atRiskBytes() {
      return sizeBytes - durableBytes;
    }
  }
}
