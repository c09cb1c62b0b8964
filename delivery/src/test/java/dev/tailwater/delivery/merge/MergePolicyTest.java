package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MergePolicyTest {
  private static final long MIB = 1 << 20;
  private static final MergePolicy STANDARD = new MergePolicy(64 * MIB, true);

  private final ShortSegments segments = new ShortSegments();
  private long end;
  private long merges;
  private long mergedBytes;

  /** Delivers segments one after another, and merges whenever the policy says so. */
  private void deliver(MergePolicy policy, int count, long lengthBytes) {
    for (int i = 0; i < count; i++) {
      segments.add(part(end, end + lengthBytes, 0));
      end += lengthBytes;
      mergeAll(policy, MergePolicy.Phase.GROWING);
    }
  }

  private void mergeAll(MergePolicy policy, MergePolicy.Phase phase) {
    for (Optional<MergePolicy.Run> run = policy.next(segments, phase);
        run.isPresent();
        run = policy.next(segments, phase)) {
      MergePolicy.Run found = run.get();
      assertTrue(found.count() >= 2, "one segment is merged with itself");
      long start = segments.startBytes(found.from());
      long to = segments.endBytes(found.to() - 1);
      int tier = 0;
      for (int i = found.from(); i < found.to(); i++) {
        tier = Math.max(tier, segments.tier(i));
        assertTrue(i == found.from() || segments.startBytes(i) == segments.endBytes(i - 1));
      }
      assertTrue(to - start <= policy.mergeToBytes(), "longer than the longest");
      segments.remove(new ByteRange(start, to));
      segments.add(part(start, to, tier + 1));
      merges++;
      mergedBytes += to - start;
    }
  }

  private static ShortSegments.Part part(long start, long end, int tier) {
    return new ShortSegments.Part(new ByteRange(start, end), 0, tier, Optional.empty());
  }

  private List<Long> lengths() {
    List<Long> lengths = new ArrayList<>();
    for (int i = 0; i < segments.count(); i++) {
      lengths.add(segments.lengthBytes(i));
    }
    return lengths;
  }

  @Test
  void halfAMebibyteASecondEndsInSegmentsOfAtLeastEightMebibytes() {
    deliver(STANDARD, 600, 500_000);
    List<Long> lengths = lengths();
    long shorter = lengths.stream().filter(length -> length < 8 * MIB).count();
    // What is not yet together a full one.
    assertTrue(shorter < 17, () -> lengths.toString());
    assertTrue(lengths.getFirst() > 50 * MIB, lengths::toString);
    assertTrue(mergedBytes <= 2 * end, () -> "each byte twice at most, not " + mergedBytes);
  }

  @Test
  void withoutProcessorTimeEachByteIsMergedOnce() {
    deliver(new MergePolicy(64 * MIB, false), 600, 500_000);
    long shorter = lengths().stream().filter(length -> length < 8 * MIB).count();
    assertTrue(shorter < 17, () -> lengths().toString());
    assertTrue(mergedBytes <= end, () -> "each byte once at most, not " + mergedBytes);
  }

  @Test
  void aStreamThatHardlyGrowsHasAtMostFifteenOfEachTier() {
    deliver(STANDARD, 16 * 16 * 16 - 1, 10);
    assertEquals(3 * 15, segments.count());
    deliver(STANDARD, 1, 10);
    assertEquals(1, segments.count());
  }

  @Test
  void whatIsFullAlreadyIsMergedOnlyWithItsLike() {
    deliver(STANDARD, 7, 9 * MIB);
    assertEquals(0, merges);
    deliver(STANDARD, 1, 9 * MIB);
    assertEquals(List.of(63 * MIB, 9 * MIB), lengths());
  }

  @Test
  void theEndOfAStreamMergesWhatIsShort() {
    deliver(STANDARD, 2, 9 * MIB);
    deliver(STANDARD, 5, 1000);
    mergeAll(STANDARD, MergePolicy.Phase.ENDED);
    assertEquals(List.of(9 * MIB, 9 * MIB, 5000L), lengths());
  }

  @Test
  void aQuietStreamIsLeftWithOneShortSegmentUnlessItsBytesAreFew() {
    deliver(STANDARD, 30, 500_000);
    assertEquals(14, segments.count());
    mergeAll(STANDARD, MergePolicy.Phase.QUIET);
    assertEquals(List.of(8_500_000L, 6_500_000L), lengths());
    deliver(STANDARD, 5, 10);
    mergeAll(STANDARD, MergePolicy.Phase.QUIET);
    assertEquals(7, segments.count());
  }

  @Test
  void whatDoesNotLieSideBySideIsNotMerged() {
    for (int i = 0; i < 40; i++) {
      segments.add(part(i * 20L, i * 20L + 10, 0));
    }
    mergeAll(STANDARD, MergePolicy.Phase.ENDED);
    assertEquals(0, merges);
  }

  @Test
  void aSegmentThatOverlapsAnotherIsNotTakenIn() {
    assertTrue(segments.add(part(10, 20, 0)));
    assertTrue(!segments.add(part(15, 25, 0)));
    assertTrue(!segments.add(part(5, 11, 0)));
    assertTrue(!segments.add(part(10, 20, 0)));
    assertTrue(segments.add(part(20, 21, 0)));
    assertTrue(segments.add(part(9, 10, 0)));
    assertEquals(List.of(1L, 10L, 1L), lengths());
  }

  /** Any input in any order: merging ends, keeps every byte, and leaves few segments. */
  @Test
  void randomStreamsAreMergedToFewSegmentsAndCoverTheSame() {
    long first = Long.getLong("tailwater.seed", System.nanoTime());
    for (long seed = first; seed < first + 200; seed++) {
      Random random = new Random(seed);
      MergePolicyTest trial = new MergePolicyTest();
      MergePolicy policy = new MergePolicy(1L + random.nextInt(5000), random.nextBoolean());
      List<ShortSegments.Part> late = new ArrayList<>();
      long total = 0;
      for (int i = 0; i < 300; i++) {
        long length = 1L + random.nextInt(random.nextBoolean() ? 20 : 3000);
        ShortSegments.Part part = part(total, total + length, 0);
        total += length;
        if (random.nextInt(4) == 0) {
          late.add(part);
        } else {
          trial.segments.add(part);
        }
        while (late.size() > 3) {
          trial.segments.add(late.removeFirst());
        }
        trial.mergeAll(policy, MergePolicy.Phase.GROWING);
      }
      late.forEach(trial.segments::add);
      trial.mergeAll(policy, MergePolicy.Phase.ENDED);
      long at = 0;
      for (int i = 0; i < trial.segments.count(); i++) {
        assertEquals(at, trial.segments.startBytes(i), "-Dtailwater.seed=" + seed);
        at = trial.segments.endBytes(i);
      }
      assertEquals(total, at, "-Dtailwater.seed=" + seed);
    }
  }
}
