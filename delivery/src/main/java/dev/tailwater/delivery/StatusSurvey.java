package dev.tailwater.delivery;

import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.watch.TailRegistry;
import dev.tailwater.delivery.watch.WatchLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Adds up what the stages know. */
final class StatusSurvey {
  private static final int MOST_AT_RISK = 20;

  private final TailRegistry tails;
  private final DeliveryCounters counters;
  private final Problems problems;
  private final Deliverer deliverer;
  private final WatchLoop watch;
  private final LongSupplier nanoClock;

  StatusSurvey(
      TailRegistry tails,
      DeliveryCounters counters,
      Problems problems,
      Deliverer deliverer,
      WatchLoop watch,
      LongSupplier nanoClock) {
    this.tails = tails;
    this.counters = counters;
    this.problems = problems;
    this.deliverer = deliverer;
    this.watch = watch;
    this.nanoClock = nanoClock;
  }

  StatusReport report(String agent, String destination, boolean draining, long startedAtMillis) {
    long now = nanoClock.getAsLong();
    long atRiskBytes = 0;
    long oldestNanos = 0;
    List<StatusReport.FileAtRisk> atRisk = new ArrayList<>();
    List<Tail> all = tails.all();
    for (Tail tail : all) {
      long bytes = tail.atRiskBytes();
      if (bytes == 0) {
        continue;
      }
      atRiskBytes += bytes;
      OptionalLong since = tail.unreadSinceNanos();
      if (since.isPresent()) {
        oldestNanos = Math.max(oldestNanos, now - since.getAsLong());
      }
      atRisk.add(
          new StatusReport.FileAtRisk(
              tail.name().toString(),
              tail.stream().id().text(),
              tail.observedBytes(),
              tail.stream().durableBytes()));
    }
    atRiskBytes += stagedOfEndedStreams(all);
    atRisk.sort(
        Comparator.comparingLong((StatusReport.FileAtRisk f) -> f.durableBytes() - f.sizeBytes()));
    return new StatusReport(
        agent,
        OptionalLong.of(ProcessHandle.current().pid()),
        destination,
        draining,
        startedAtMillis,
        all.size(),
        Optional.of(StatusReport.Watching.of(watch.statistics())),
        atRiskBytes,
        TimeUnit.NANOSECONDS.toMillis(oldestNanos),
        counters.rawBytes(),
        counters.segments(),
        counters.storedBytes(),
        atRisk.subList(0, Math.min(MOST_AT_RISK, atRisk.size())),
        problems.open());
  }

  /** What was read of files that have been truncated or deleted since, and is on its way. */
  private long stagedOfEndedStreams(List<Tail> all) {
    Set<StreamProgress> present = new HashSet<>();
    all.forEach(tail -> present.add(tail.stream()));
    return deliverer.notDurable().stream()
        .filter(staged -> !present.contains(staged.stream()))
        .mapToLong(staged -> staged.range().lengthBytes())
        .sum();
  }
}
