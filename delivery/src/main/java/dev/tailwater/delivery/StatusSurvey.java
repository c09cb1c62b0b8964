package dev.tailwater.delivery;

import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.watch.TailRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Adds up what the stages know. */
final class StatusSurvey {
  private static final int MOST_AT_RISK = 20;

  private final TailRegistry tails;
  private final DeliveryCounters counters;
  private final Problems problems;
  private final LongSupplier nanoClock;

  StatusSurvey(
      TailRegistry tails, DeliveryCounters counters, Problems problems, LongSupplier nanoClock) {
    this.tails = tails;
    this.counters = counters;
    this.problems = problems;
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
    atRisk.sort(
        Comparator.comparingLong((StatusReport.FileAtRisk f) -> f.durableBytes() - f.sizeBytes()));
    return new StatusReport(
        agent,
        OptionalLong.of(ProcessHandle.current().pid()),
        destination,
        draining,
        startedAtMillis,
        all.size(),
        atRiskBytes,
        TimeUnit.NANOSECONDS.toMillis(oldestNanos),
        counters.rawBytes(),
        counters.segments(),
        counters.storedBytes(),
        atRisk.subList(0, Math.min(MOST_AT_RISK, atRisk.size())),
        problems.open());
  }
}
