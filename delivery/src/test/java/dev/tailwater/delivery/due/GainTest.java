package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Which order leaves least at risk when time may run out: segments of random lengths and ratios go
 * over a link one after the other, each at the cost of its compressed bytes and the fixed cost.
 */
class GainTest {
  private static final long SEED = 20_261_122;

  /** How much adjacent values on the scale, which are treated as equal, differ at most. */
  private static final double COARSENESS = Math.pow(2, 0.25) + 1e-9;

  private record Segment(int number, long rawBytes, double ratio) {
    double cost() {
      return rawBytes / ratio + Gain.FIXED_BYTES;
    }
  }

  private static final Comparator<Segment> OURS =
      Comparator.comparingInt((Segment s) -> Gain.of(s.rawBytes(), s.ratio())).reversed();
  private static final List<Comparator<Segment>> OTHERS =
      List.of(
          Comparator.comparingInt(Segment::number), // The oldest first.
          Comparator.comparingLong(Segment::rawBytes), // Many files are safe soon.
          Comparator.comparingLong(Segment::rawBytes).reversed(),
          Comparator.comparingDouble(Segment::ratio).reversed());

  private static List<Segment> segments(Random random) {
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long rawBytes = (long) Math.exp(random.nextDouble() * Math.log(50e6));
      segments.add(new Segment(i, 1 + rawBytes, 1 + 20 * random.nextDouble()));
    }
    return segments;
  }

  private static List<Segment> inOrder(List<Segment> segments, Comparator<Segment> order) {
    return segments.stream().sorted(order).toList();
  }

  /** Returns the bytes at risk, summed over the time until none are. */
  private static double area(List<Segment> inOrder) {
    double left = inOrder.stream().mapToLong(Segment::rawBytes).sum();
    double area = 0;
    for (Segment segment : inOrder) {
      area += left * segment.cost();
      left -= segment.rawBytes();
    }
    return area;
  }

  /** Returns how many bytes are durable when it is cut off then. */
  private static double safe(List<Segment> inOrder, double time) {
    double spent = 0;
    double safe = 0;
    for (Segment segment : inOrder) {
      spent += segment.cost();
      if (spent > time) {
        break;
      }
      safe += segment.rawBytes();
    }
    return safe;
  }

  @Test
  void noOrderHasFewerBytesAtRiskOverTime() {
    Random random = new Random(SEED);
    double[] sums = new double[OTHERS.size()];
    double ours = 0;
    for (int round = 0; round < 200; round++) {
      List<Segment> segments = segments(random);
      double area = area(inOrder(segments, OURS));
      ours += area;
      for (int i = 0; i < OTHERS.size(); i++) {
        double other = area(inOrder(segments, OTHERS.get(i)));
        sums[i] += other;
        assertTrue(area <= other * COARSENESS, "seed " + SEED + ", round " + round);
      }
    }
    for (double other : sums) {
      assertTrue(ours < other, "seed " + SEED);
    }
  }

  @Test
  void whereverItIsCutOffNoOrderHasSavedMoreButForASegment() {
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      List<Segment> segments = segments(random);
      double whole = segments.stream().mapToDouble(Segment::cost).sum();
      long longest = segments.stream().mapToLong(Segment::rawBytes).max().orElseThrow();
      double time = random.nextDouble() * whole;
      double ours = safe(inOrder(segments, OURS), time);
      for (Comparator<Segment> order : OTHERS) {
        double other = safe(inOrder(segments, order), time);
        assertTrue(other <= (ours + longest) * COARSENESS, "seed " + SEED + ", round " + round);
      }
    }
  }
}
