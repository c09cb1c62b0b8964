package dev.tailwater.cli.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model beside what can be calculated by hand. */
class EstimateTest {
  private static final long SEGMENT = 8 << 20;
  private static final long MERGE = 64 << 20;
  private static final int OVERHEAD = 300;
  private static final double EXACT = 1e-9;

  /** One a minute; 64 become one, and 64 of these again. */
  private static final double RECEIPTS = 60 + 60 / 64.0 + 60 / 4096.0;

  private static final double HOURS = 24 * 30;
  private static final StorePrices S3 =
      new StorePrices("S3", StoreKind.S3, "somewhere", 0.005, 0.005, 0.0004, 0, 0.023);

  private static Terms terms(int maxAgeSeconds, long mergeToBytes, boolean packs) {
    return terms(maxAgeSeconds, mergeToBytes, packs ? PackUse.ALWAYS : PackUse.NEVER);
  }

  private static Terms terms(int maxAgeSeconds, long mergeToBytes, PackUse packs) {
    return new Terms(
        StoreKind.S3,
        Duration.ofSeconds(maxAgeSeconds),
        SEGMENT,
        mergeToBytes,
        packs,
        0.2,
        OVERHEAD);
  }

  private static void assertNear(double expected, double actual) {
    assertEquals(expected, actual, Math.abs(expected) * EXACT);
  }

  @Test
  void aHundredLogsWithoutPacksArePutEachInEachMaxAge() {
    Estimate estimate = Estimate.of(Workload.of(100, 1000), terms(5, 0, false));
    assertNear(72_000 + RECEIPTS, estimate.putsPerHour());
    assertNear(0.36 + RECEIPTS * 0.000_005, S3.requests(estimate) / HOURS);
    assertNear((60 + 60 / 64.0) * HOURS, estimate.deletesPerMonth());
    assertNear(51_840_000 + 60 / 4096.0 * HOURS + 63, estimate.objectsPerMonth());
    // 100 KB/s at a fifth, and 300 bytes for each object.
    assertNear(51_840_000_000.0 + 51_840_000 * 300.0, estimate.storedBytesPerMonth());
  }

  @Test
  void aHundredLogsInPacksAreOnePutInEachMaxAge() {
    Estimate alone = Estimate.of(Workload.of(100, 1000), terms(5, 0, true));
    assertNear(720 + RECEIPTS, alone.putsPerHour());
    Estimate merged = Estimate.of(Workload.of(100, 1000), terms(5, MERGE, true));
    // A pack has 101 400 bytes: 42 of them have 4 MiB.
    assertNear(720 + 720.0 / 42 + RECEIPTS, merged.putsPerHour());
    assertNear((720 + 60 + 60 / 64.0) * HOURS, merged.deletesPerMonth());
    assertNear((720.0 / 42 + 60 / 4096.0) * HOURS + 41 / 2.0 + 63, merged.objectsPerMonth());
    assertTrue(merged.putsPerHour() <= 800);
    assertTrue(S3.requests(merged) / HOURS <= 0.004);
  }

  @Test
  void shortSegmentsAreMergedByTiers() {
    Merging merging = Merging.ofSegments(5_000, terms(5, MERGE, false));
    // 16 have 80 000 bytes, 16 of those 1 280 000, and 7 of those 8 MiB.
    assertNear(1.0 / 16 / 16 / 7, merging.objects());
    assertNear(1.0 / 16 + 1.0 / 256 + 1.0 / 1792, merging.uploads());
    assertNear(merging.uploads(), merging.requests());
    assertNear(1 + 1.0 / 16 + 1.0 / 256, merging.removals());
    assertNear(7.5 + 7.5 + 3, merging.waiting());
  }

  @Test
  void segmentsThatAreSoonEightMebibytesAreMergedOnce() {
    assertNear(1.0 / 64, Merging.ofSegments(128 << 10, terms(5, MERGE, false)).uploads());
    assertNear(1.0 / 3, Merging.ofSegments(3 << 20, terms(5, MERGE, false)).objects());
    assertEquals(Merging.NONE, Merging.ofSegments(SEGMENT, terms(5, MERGE, false)));
    assertEquals(Merging.NONE, Merging.ofSegments(5_000, terms(5, 0, false)));
  }

  @Test
  void aLongMergedSegmentIsUploadedInParts() {
    Terms stored =
        new Terms(StoreKind.S3, Duration.ofSeconds(5), SEGMENT, MERGE, PackUse.NEVER, 1, OVERHEAD);
    // 9 MiB: three requests around two parts.
    assertNear(5.0 / 3, Merging.ofSegments(3 << 20, stored).requests());
    Terms google =
        new Terms(StoreKind.GS, Duration.ofSeconds(5), SEGMENT, MERGE, PackUse.NEVER, 1, OVERHEAD);
    assertNear(3.0 / 3, Merging.ofSegments(3 << 20, google).requests());
  }

  @Test
  void packsAreMergedByLengthByRangesOrInSixtyFours() {
    assertNear(1.0 / 8, Merging.ofPacks(512 << 10, 2 << 20, 100, MERGE).objects());
    assertNear(1.0 / 4, Merging.ofPacks(64 << 10, 1 << 20, 10_000, MERGE).objects());
    assertNear(1.0 / 16, Merging.ofPacks(64 << 10, 2 << 20, 100, MERGE).objects());
    Merging tiny = Merging.ofPacks(1_000, 5_000, 1, MERGE);
    assertNear(1.0 / 64 / 64, tiny.objects());
    assertNear(1.0 / 64 + 1.0 / 64 / 64, tiny.uploads());
    assertEquals(Merging.NONE, Merging.ofPacks(1 << 20, 5 << 20, 100, MERGE));
    assertEquals(Merging.NONE, Merging.ofPacks(1_000, 5_000, 1, 0));
  }

  @Test
  void aFileThatFillsSegmentsIsPaidByTheByte() {
    // 40 MiB of text are a segment of 8 MiB.
    Workload fast = Workload.of(1, 80 << 20);
    for (boolean packs : new boolean[] {false, true}) {
      Estimate estimate = Estimate.of(fast, terms(5, MERGE, packs));
      assertNear(2 * 3600 + RECEIPTS, estimate.putsPerHour());
      assertNear((60 + 60 / 64.0) * HOURS, estimate.deletesPerMonth());
    }
  }

  @Test
  void packsHoldWhatFillsNoSegment() {
    Workload both =
        new Workload(List.of(new Workload.Growth(1, 80 << 20), new Workload.Growth(100, 1000)));
    assertNear(7200 + 720 + RECEIPTS, Estimate.of(both, terms(5, 0, true)).putsPerHour());
    assertNear(7200 + 72_000 + RECEIPTS, Estimate.of(both, terms(5, 0, false)).putsPerHour());
  }

  @Test
  void packsForManyFilesAreUsedWhereSixteenWaitAtOnce() {
    Terms auto = terms(5, 0, PackUse.FOR_MANY_FILES);
    assertNear(15 * 720 + RECEIPTS, Estimate.of(Workload.of(15, 1000), auto).putsPerHour());
    assertNear(720 + RECEIPTS, Estimate.of(Workload.of(16, 1000), auto).putsPerHour());
    // A byte in ten seconds each: at any time, half of them wait.
    assertNear(31 * 360 + RECEIPTS, Estimate.of(Workload.of(31, 0.1), auto).putsPerHour());
    assertNear(720 + RECEIPTS, Estimate.of(Workload.of(32, 0.1), auto).putsPerHour());
  }

  @Test
  void aFileThatGrowsByLessThanAByteInMaxAgeIsPutWhenItGrows() {
    assertNear(
        36 + RECEIPTS * 36 / 60,
        Estimate.of(Workload.of(1, 0.01), terms(5, 0, false)).putsPerHour());
  }

  @Test
  void costsNeverFallWhenMoreIsWritten() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Terms terms =
          new Terms(
              StoreKind.S3,
              Duration.ofMillis(10 + random.nextInt(100_000)),
              1L << (20 + random.nextInt(7)),
              0,
              random.nextBoolean() ? PackUse.ALWAYS : PackUse.NEVER,
              0.01 + 0.99 * random.nextDouble(),
              OVERHEAD);
      List<Workload.Growth> growths = new ArrayList<>();
      List<Workload.Growth> more = new ArrayList<>();
      for (int group = random.nextInt(4); group >= 0; group--) {
        long files = 1L << random.nextInt(20);
        double rate = Math.pow(10, 10 * random.nextDouble() - 2);
        growths.add(new Workload.Growth(files, rate));
        more.add(
            random.nextBoolean()
                ? new Workload.Growth(files, rate * (1 + random.nextDouble()))
                : new Workload.Growth(files + random.nextInt(100), rate));
      }
      Estimate before = Estimate.of(new Workload(growths), terms);
      Estimate after = Estimate.of(new Workload(more), terms);
      String what = "seed " + seed + ": " + terms + growths + more;
      assertTrue(after.putsPerHour() >= before.putsPerHour() * (1 - EXACT), what);
      assertTrue(S3.total(after) >= S3.total(before) * (1 - EXACT), what);
      assertTrue(S3.restore(after) >= S3.restore(before) * (1 - EXACT), what);
    }
  }

  @Test
  void mergingLeavesFewerObjectsForFewerPutsThanItSaves() {
    for (boolean packs : new boolean[] {false, true}) {
      for (double rate = 0.1; rate < 1e8; rate *= 1.3) {
        Estimate alone = Estimate.of(Workload.of(100, rate), terms(5, 0, packs));
        Estimate merged = Estimate.of(Workload.of(100, rate), terms(5, MERGE, packs));
        assertNear(alone.putsPerSecond(), merged.putsPerSecond());
        assertTrue(merged.objectsPerMonth() <= alone.objectsPerMonth(), "rate " + rate);
        assertTrue(merged.mergePutsPerSecond() <= merged.putsPerSecond(), "rate " + rate);
        assertTrue(merged.storedBytesPerMonth() <= alone.storedBytesPerMonth(), "rate " + rate);
      }
    }
  }

  @Test
  void aDirectoryRecommendsWhatTheTableSays(@TempDir Path directory) throws Exception {
    DestinationContext context =
        new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new SecureRandom());
    try (Destination destination =
        Destinations.open(directory.toString(), OpenIntent.WRITE, context)) {
      assertEquals(
          destination.capabilities().recommendedMaxAgeMillis(), StoreKind.FILE.maxAge().toMillis());
      assertEquals(destination.capabilities().recommendedMergeBytes(), StoreKind.FILE.mergeBytes());
    }
  }
}
