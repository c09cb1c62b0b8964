package dev.tailwater.restore.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.restore.StoredSegment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverTest {
  private static StoredSegment segment(long start, long end) {
    return new StoredSegment(new ByteRange(start, end), 1, 1, false, false, Optional.empty());
  }

  private static List<StoredSegment> sorted(List<StoredSegment> segments) {
    return segments.stream().sorted(StoredSegment.BY_START).toList();
  }

  @Test
  void supersededSegmentsAreNotFetched() {
    StoredSegment merged = segment(0, 30);
    List<StoredSegment> all =
        sorted(List.of(segment(0, 10), segment(10, 20), segment(20, 30), merged, segment(30, 35)));
    assertEquals(
        List.of(
            new Piece(merged, new ByteRange(0, 30)),
            new Piece(segment(30, 35), new ByteRange(30, 35))),
        Cover.of(all, new ByteRange(0, 35), Set.of()));
  }

  @Test
  void aPlainSegmentGivesNoByteThatAnEncryptedOneHas() {
    StoredSegment secret =
        new StoredSegment(new ByteRange(0, 10), 1, 1, false, true, Optional.empty());
    StoredSegment plain = segment(0, 10);
    assertEquals(
        List.of(new Piece(secret, new ByteRange(0, 10))),
        Cover.of(sorted(List.of(secret, plain)), new ByteRange(0, 10), Set.of()));
    StoredSegment longer = segment(0, 30);
    assertEquals(
        List.of(new Piece(secret, new ByteRange(0, 10)), new Piece(longer, new ByteRange(10, 30))),
        Cover.of(sorted(List.of(secret, longer)), new ByteRange(0, 30), Set.of()));
    assertEquals(
        List.of(new Piece(longer, new ByteRange(10, 30))),
        Cover.of(sorted(List.of(secret, longer)), new ByteRange(0, 30), Set.of(secret)));
  }

  @Test
  void everyByteThatCanBeHadIsTakenOnceFromASegmentThatHasIt() {
    long seed = new SecureRandom().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      List<StoredSegment> segments = new ArrayList<>();
      Set<StoredSegment> excluded = new HashSet<>();
      BitSet expected = new BitSet();
      int from = random.nextInt(20);
      int to = from + random.nextInt(80);
      for (int i = random.nextInt(12); i > 0; i--) {
        int start = random.nextInt(100);
        StoredSegment segment = segment(start, start + 1 + random.nextInt(30));
        segments.add(segment);
        if (random.nextInt(4) == 0) {
          excluded.add(segment);
        }
      }
      for (StoredSegment segment : segments) {
        if (!excluded.contains(segment)) {
          expected.set((int) segment.range().startBytes(), (int) segment.range().endBytes());
        }
      }
      expected.clear(0, from);
      expected.clear(to, 200);
      BitSet taken = new BitSet();
      for (Piece piece : Cover.of(sorted(segments), new ByteRange(from, to), excluded)) {
        assertTrue(piece.segment().range().contains(piece.range()), "seed " + seed);
        for (long at = piece.range().startBytes(); at < piece.range().endBytes(); at++) {
          assertTrue(!taken.get((int) at), "taken twice: " + at + ", seed " + seed);
          taken.set((int) at);
        }
      }
      assertEquals(expected, taken, "seed " + seed);
    }
  }
}
