package dev.tailwater.delivery;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.StagedRange;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailWork;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.watch.WatchStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Builds a status report from what the stages know. */
final class StatusSurvey {

  private final AgentConfig config;
  private final Assembly.Stages stages;
  private final LongSupplier nanoClock;

  StatusSurvey(AgentConfig config, Assembly.Stages stages, LongSupplier nanoClock) {
    this.config = config;
    this.stages = stages;
    this.nanoClock = nanoClock;
  }

  StatusReport report(long startedAtMillis, StatusReport.Safety safety) {
    List<Lane> required = stages.lanes().stream().filter(Lane::isRequired).toList();
    List<WatchedFile> files = stages.files().all();
    List<FileAtRisk> atRisk = new ArrayList<>();
    for (WatchedFile file : files) {
      worst(file, required).ifPresent(atRisk::add);
    }
    long atRiskBytes =
        atRisk.stream()
            .mapToLong(FileAtRisk::bytes)
            .reduce(stagedOfEndedStreams(required), ByteSum::of);
    atRisk.sort(Comparator.comparingLong(FileAtRisk::bytes).reversed());
    long oldestMillis = required.stream().mapToLong(this::oldestMillis).max().orElse(0);
    return new StatusReport(
        config.agent(),
        Optional.of(running(startedAtMillis)),
        progress(atRiskBytes, oldestMillis, slowest(required)),
        new StatusReport.Files(
            stages.files().count(),
            atRisk.size(),
            atRisk.stream().limit(StatusReport.Files.MOST_NAMED).map(FileAtRisk::report).toList(),
            stages.watch().losses().report(),
            0),
        stages.lanes().stream().map(this::of).toList(),
        stages.problems().open(),
        safety);
  }

  private StatusReport.Running running(long startedAtMillis) {
    WatchStatistics statistics = stages.watch().statistics();
    return new StatusReport.Running(
        ProcessHandle.current().pid(),
        startedAtMillis,
        StatusReport.Watching.of(
            statistics,
            stages.watch(),
            stages.hangs().unseenMillis(),
            config.scope().leftOutOf(statistics.links())),
        stages.neighbour().report(),
        stages.signer().map(ObjectSigner::publicKey),
        stages.lanes().stream().allMatch(Lane::requiresSignatures));
  }

  private static StatusReport.Progress progress(
      long atRiskBytes, long oldestAtRiskMillis, DeliveryCounters delivered) {
    return new StatusReport.Progress(
        atRiskBytes,
        oldestAtRiskMillis,
        delivered.rawBytes(),
        delivered.segments(),
        delivered.storedBytes());
  }

  /**
   * Returns what is delivered to the slowest required destination: the one with the fewest bytes.
   */
  static DeliveryCounters slowest(List<Lane> required) {
    return required.stream()
        .map(Lane::counters)
        .min(Comparator.comparingLong(DeliveryCounters::rawBytes))
        .orElseThrow();
  }

  /** A file of which a destination lacks something. */
  private record FileAtRisk(WatchedFile file, TailWork.AtRisk atRisk) {
    long bytes() {
      return atRisk.sizeBytes() - atRisk.durableBytes();
    }

    StatusReport.FileAtRisk report() {
      return new StatusReport.FileAtRisk(
          file.name().toString(),
          atRisk.stream().id().text(),
          atRisk.sizeBytes(),
          atRisk.durableBytes());
    }
  }

  /**
   * Returns the file as the required destination sees it that lacks the most of it, if any does.
   */
  private static Optional<FileAtRisk> worst(WatchedFile file, List<Lane> required) {
    return required.stream()
        .flatMap(lane -> file.tail(lane.number()).stream())
        .map(tail -> tail.work().atRisk())
        .max(Comparator.comparingLong(TailWork.AtRisk::bytes))
        .map(worst -> new FileAtRisk(file, worst))
        .filter(worst -> worst.bytes() > 0);
  }

  private StatusReport.AtDestination of(Lane lane) {
    List<Tail> tails = lane.tails();
    return new StatusReport.AtDestination(
        lane.name(),
        lane.destination().uri().toString(),
        lane.isRequired(),
        lane.isConnected(),
        progress(
            tails.stream()
                .mapToLong(tail -> tail.work().atRiskBytes())
                .reduce(stagedOfEndedStreams(List.of(lane)), ByteSum::of),
            oldestMillis(lane),
            lane.counters()),
        lane.counters().sealedSegments(),
        new StatusReport.Merged(
            lane.merging().mergedSegments(),
            lane.merging().supersededSegments(),
            lane.merging().rawBytes(),
            lane.merging().gatheredSegments(),
            lane.merging().notGathered()),
        lane.untrustedObjects());
  }

  private long oldestMillis(Lane lane) {
    long now = nanoClock.getAsLong();
    long oldestNanos = 0;
    for (Tail tail : lane.tails()) {
      OptionalLong since = tail.work().sinceNanos();
      if (since.isPresent() && tail.work().atRiskBytes() > 0) {
        oldestNanos = Math.max(oldestNanos, now - since.getAsLong());
      }
    }
    // Later: what a worker hands over meanwhile is on its way then.
    OptionalLong onItsWay = lane.deliverer().oldestNotDurableNanos(now);
    if (onItsWay.isPresent()) {
      oldestNanos = Math.max(oldestNanos, now - onItsWay.getAsLong());
    }
    return TimeUnit.NANOSECONDS.toMillis(oldestNanos);
  }

  /**
   * Returns how many bytes of files that have been truncated or deleted since are in flight to any
   * of the destinations; each byte counts once.
   */
  private static long stagedOfEndedStreams(List<Lane> lanes) {
    Map<StreamId, RangeSet> staged = new HashMap<>();
    for (Lane lane : lanes) {
      List<StagedRange> ranges = lane.deliverer().notDurable();
      Set<StreamProgress> ended = new HashSet<>();
      ranges.forEach(range -> ended.add(range.stream()));
      if (!ended.isEmpty()) {
        lane.tails().forEach(tail -> ended.remove(tail.stream()));
      }
      for (StagedRange range : ranges) {
        if (ended.contains(range.stream())) {
          staged.computeIfAbsent(range.stream().id(), _ -> new RangeSet()).add(range.range());
        }
      }
    }
    return staged.values().stream().mapToLong(RangeSet::totalBytes).reduce(0, ByteSum::of);
  }
}
