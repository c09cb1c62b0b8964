package dev.tailwater.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.destination.Capabilities;
import dev.tailwater.posix.PosixPath;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of measurements. */
class JudgementTest {
  private static final Capabilities CLOUD = new Capabilities(Integer.MAX_VALUE, 5000, 64 << 20);

  private static Timing puts(long millis) {
    Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    for (int i = 0; i < 100; i++) {
      latencies.recordValue(TimeUnit.MILLISECONDS.toNanos(millis));
    }
    return new Timing("put of 1 KiB", latencies);
  }

  private static Throughput throughput(int parallel, long mebibytesPerSecond) {
    return new Throughput(parallel, 8 << 20, mebibytesPerSecond << 20, TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void aPutIsSlowWhenItTakesLongerThanAByteWaits() {
    assertEquals(Verdict.OK, LatencyStep.judged(puts(4000), 5000).verdict());
    Finding slow = LatencyStep.judged(puts(6000), 5000);
    assertEquals(Verdict.SLOW, slow.verdict());
    assertTrue(slow.found().startsWith("p50 6.0 s, p90 6.0 s, p99 6.0 s of 100"), slow.found());
  }

  @Test
  void puttingIsSlowWhenASegmentTakesLongerThanAByteWaits() {
    assertEquals(Verdict.OK, ThroughputStep.judged("x", throughput(8, 2), 5000).verdict());
    assertEquals(Verdict.SLOW, ThroughputStep.judged("x", throughput(8, 1), 5000).verdict());
    assertEquals(
        Verdict.OK,
        ThroughputStep.judged("x", throughput(1, 1), 5000).verdict(),
        "one at a time is not how ship does it");
  }

  @Test
  void whatIsMeasuredIsWhatShipDoes() {
    AgentConfig ship =
        AgentConfig.of(
            "agent", List.of(Source.parse("/log", List.of(), List.of())), PosixPath.of("/state"));
    assertEquals(ship.resources().parallelDeliveries(), ThroughputStep.SEVERAL);
    assertEquals(ship.segments().fullBytes(), ProbePlan.SEGMENT_BYTES);
  }

  @Test
  void advisesWhatFollowsFromTheMeasurements() {
    List<String> advice =
        Advice.of(CLOUD, List.of(puts(80)), List.of(throughput(1, 10), throughput(8, 60)));
    assertEquals(3, advice.size());
    assertTrue(advice.get(0).contains("waits up to 5s"), advice.get(0));
    assertTrue(advice.get(0).contains("the put adds 80 ms"), advice.get(0));
    assertTrue(advice.get(0).contains("Less than 16"), advice.get(0));
    assertTrue(advice.get(1).contains("6.0 times as much as one; ship has up to 8"), advice.get(1));
    assertTrue(advice.get(2).contains("in 25s, the default, about 1.5 GiB"), advice.get(2));
    String full = Advice.of(CLOUD, List.of(), List.of(throughput(1, 10), throughput(8, 11))).get(0);
    assertTrue(full.contains("is full with one"), full);
    assertEquals(List.of(), Advice.of(CLOUD, List.of(), List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "/backup/a, file:///backup/a/f/g",
    "s3://bucket, s3://bucket/f/g",
    "s3://bucket/, s3://bucket/f/g",
    "s3://bucket/p/q?region=eu-west-1&endpoint=http%3A%2F%2Fh,"
        + " s3://bucket/p/q/f/g?region=eu-west-1&endpoint=http%3A%2F%2Fh",
    "hdfs://host:8020/, hdfs://host:8020/f/g"
  })
  void aFolderContinuesThePathInFrontOfTheOptions(String given, String expected) {
    URI uri = URI.create(given.startsWith("/") ? "file://" + given : given);
    assertEquals(expected, UriTarget.below(uri, "f/g"));
  }
}
