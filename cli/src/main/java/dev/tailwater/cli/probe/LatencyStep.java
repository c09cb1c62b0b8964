package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The latency of puts of small segments, one after the other, and of reads. */
final class LatencyStep {
  private static final int CONTENT_BYTES = 1024;

  /** The first calls make connections and load classes; they do not count. */
  private static final int WARM_UP = 3;

  private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Destination place;
  private final ProbePlan plan;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Timing> timings = new ArrayList<>();
  private final List<String> written = new ArrayList<>();

  LatencyStep(Destination place, ProbePlan plan) {
    this.place = place;
    this.plan = plan;
  }

  /** A call with its number, from 0. */
  @FunctionalInterface
  private interface Call {
    void run(int number) throws Exception;
  }

  List<Finding> findings() {
    return findings;
  }

  List<Timing> timings() {
    return timings;
  }

  /** Times puts, and compares them with the default age of a segment. */
  void puts() throws InterruptedException {
    byte[] content = new byte[CONTENT_BYTES];
    new Random(1).nextBytes(content);
    measure(
        "put of 1 KiB",
        number -> {
          String key = "latency-" + number;
          place.putSegment(key, ByteBuffer.wrap(content));
          written.add(key);
        });
  }

  /**
   * Reads what {@link #puts} has put, repeatedly, because there may be more reads than puts in the
   * same time.
   */
  void reads() throws InterruptedException {
    String what = "read of 1 KiB";
    if (written.isEmpty()) {
      findings.add(Finding.skipped(Step.LATENCY, what, "nothing could be put to be read"));
      return;
    }
    measure(
        what,
        number -> {
          String key = written.get(number % written.size());
          try (InputStream stream = place.read(key, 0, Long.MAX_VALUE)) {
            stream.readNBytes(CONTENT_BYTES);
          }
        });
  }

  private void measure(String what, Call call) throws InterruptedException {
    Histogram latencies = new Histogram(MAX_NANOS, 3);
    try {
      for (int i = 0; i < WARM_UP; i++) {
        int number = i;
        ProbeRetry.of(
            () -> {
              call.run(number);
              return number;
            });
      }
      long start = System.nanoTime();
      for (int i = 0; i < plan.calls(); i++) {
        long before = System.nanoTime();
        if (i > 0 && before - start > plan.measuring().toNanos()) {
          break;
        }
        call.run(WARM_UP + i);
        latencies.recordValue(Math.min(MAX_NANOS, System.nanoTime() - before));
      }
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (DestinationException e) {
      findings.add(
          Finding.of(Step.LATENCY, what, Verdict.UNKNOWN, e.getMessage(), "", e.finalHint()));
      return;
    } catch (Exception e) {
      findings.add(Finding.of(Step.LATENCY, what, Verdict.UNKNOWN, Words.failure(e), "", ""));
      return;
    }
    Timing timing = new Timing(what, latencies);
    timings.add(timing);
    findings.add(judged(timing, place.capabilities().recommendedMaxAgeMillis()));
  }

  static Finding judged(Timing timing, long maxAgeMillis) {
    if (timing.nanosAt(99) <= TimeUnit.MILLISECONDS.toNanos(maxAgeMillis)) {
      return Finding.ok(Step.LATENCY, timing.what(), timing.forPeople());
    }
    return Finding.of(
        Step.LATENCY,
        timing.what(),
        Verdict.SLOW,
        timing.forPeople(),
        "one of a hundred takes longer than the max_age that is usual here, "
            + Words.millis(maxAgeMillis),
        "Look for a nearer region, or for what else uses the network or the disk.");
  }
}
