package dev.tailwater.cli.probe;

import dev.tailwater.cli.value.Count;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PutResult;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The throughput of puts of full segments, one at a time and several at a time. */
final class ThroughputStep {

  /** The most puts that {@code ship} has under way. */
  static final int SEVERAL = 8;

  /** The distance between segments in the same random bytes, so that no two are the same. */
  private static final int SHIFT_BYTES = 4099;

  private static final int SHIFTS = 1024;

  private final Destination place;
  private final ProbePlan plan;
  private final ByteBuffer random;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Throughput> results = new ArrayList<>();

  ThroughputStep(Destination place, ProbePlan plan) {
    this.place = place;
    this.plan = plan;
    byte[] bytes = new byte[ProbePlan.SEGMENT_BYTES + SHIFTS * SHIFT_BYTES];
    new Random(plan.clock().millis()).nextBytes(bytes);
    this.random = ByteBuffer.wrap(bytes);
  }

  List<Finding> findings() {
    return findings;
  }

  List<Throughput> results() {
    return results;
  }

  void run(int parallel) throws InterruptedException {
    String name = parallel == 1 ? "one put at a time" : parallel + " puts at a time";
    try {
      Throughput result = measured(parallel);
      results.add(result);
      findings.add(judged(name, result, place.capabilities().recommendedMaxAgeMillis()));
    } catch (ExecutionException e) {
      findings.add(unknown(name, e));
    }
  }

  private Throughput measured(int parallel) throws InterruptedException, ExecutionException {
    int most =
        (int) Math.max(1, Math.min(SHIFTS, plan.throughputBytes() / ProbePlan.SEGMENT_BYTES));
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    long count = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(parallel)) {
      List<Future<Integer>> parts = new ArrayList<>();
      for (int i = 0; i < parallel; i++) {
        parts.add(threads.submit(() -> put(parallel, next, most, start)));
      }
      for (Future<Integer> part : parts) {
        count += part.get();
      }
    }
    return new Throughput(
        parallel,
        ProbePlan.SEGMENT_BYTES,
        count * ProbePlan.SEGMENT_BYTES,
        System.nanoTime() - start);
  }

  private int put(int parallel, AtomicInteger next, int most, long startNanos) throws Exception {
    int count = 0;
    while (true) {
      int number = next.getAndIncrement();
      boolean late = System.nanoTime() - startNanos > plan.measuring().toNanos();
      if (number >= most || (late && number > 0)) {
        return count;
      }
      ByteBuffer segment = random.slice(number * SHIFT_BYTES, ProbePlan.SEGMENT_BYTES);
      // Repeated as ship would: one busy answer says nothing about throughput.
      PutResult _ =
          ProbeRetry.of(() -> place.putSegment("segment-" + parallel + "-" + number, segment));
      count++;
    }
  }

  static Finding judged(String name, Throughput result, long maxAgeMillis) {
    String found =
        Words.rate(result.bytesPerSecond())
            + ", "
            + Count.of(result.bytes() / ProbePlan.SEGMENT_BYTES, "segment")
            + " of 8 MiB";
    double usualBytesPerSecond = ProbePlan.SEGMENT_BYTES * 1000.0 / Math.max(1, maxAgeMillis);
    if (result.parallel() == 1 || result.bytesPerSecond() >= usualBytesPerSecond) {
      return Finding.ok(Step.THROUGHPUT, name, found);
    }
    return Finding.of(
        Step.THROUGHPUT,
        name,
        Verdict.SLOW,
        found,
        "sealing faster than that makes the bytes at risk grow: they are compressed, so files may"
            + " grow by some times as much",
        "Raise max_age so that segments are longer, compress more (zstd:6), or give it a faster"
            + " network.");
  }

  private static Finding unknown(String name, ExecutionException failed) {
    return switch (failed.getCause()) {
      case StoppedException stopped -> throw stopped;
      case DestinationException e ->
          Finding.of(Step.THROUGHPUT, name, Verdict.UNKNOWN, e.getMessage(), "", e.finalHint());
      case null, default ->
          Finding.of(
              Step.THROUGHPUT, name, Verdict.UNKNOWN, String.valueOf(failed.getCause()), "", "");
    };
  }
}
