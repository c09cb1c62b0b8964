package dev.tailwater.delivery.risk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Looks are half a second apart. */
class BoundWatchTest {
  private static final AtRiskBound BOUND =
      new AtRiskBound(OptionalLong.of(1_000), Optional.of(Duration.ofSeconds(5)));

  private final List<String> heard = new ArrayList<>();
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {
              heard.add(problem.message());
            }

            @Override
            public void ended(Problem problem) {
              heard.add("over");
            }
          },
          () -> 0);
  private final BoundWatch watch = new BoundWatch(BOUND, problems);
  private long nanos = 99;

  private void look(long bytes, long ageMillis, Limit reason, int times) {
    for (int i = 0; i < times; i++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(500);
      watch.look(nanos, bytes, ageMillis, reason);
    }
  }

  @Test
  void saysNothingWhileTheBoundIsKept() {
    look(1_000, 5_000, Limit.CPU, 10);
    assertEquals(List.of(), heard);
    assertEquals(Optional.empty(), watch.report().limit());
    assertEquals(0, watch.report().exceededMillis());
    assertEquals(1_000, watch.report().mostBytes());
    assertEquals(5_000, watch.report().oldestMillis());
  }

  @Test
  void reportsOnceAndTakesItBackWhenItHasBeenKeptForAWhile() {
    look(1_001, 0, Limit.UPLINK, 20);
    assertEquals(1, heard.size());
    assertTrue(heard.getFirst().contains("the uplink is the limit"), heard.getFirst());
    assertEquals(Optional.of(Limit.UPLINK), watch.report().limit());
    look(10, 0, Limit.UPLINK, 5);
    assertEquals(1, heard.size());
    look(10, 0, Limit.UPLINK, 5);
    assertEquals("over", heard.getLast());
    assertEquals(2, heard.size());
    assertEquals(Optional.empty(), watch.report().limit());
    assertEquals(9_500, watch.report().exceededMillis());
  }

  @Test
  void anAgeCanBeTooGreatTooAndOneLookIsNotEnough() {
    look(0, 5_001, Limit.DESTINATION, 1);
    look(0, 0, Limit.DESTINATION, 1);
    assertEquals(List.of(), heard);
    look(0, 5_001, Limit.DESTINATION, 2);
    assertEquals(1, heard.size());
  }

  @Test
  void tellsOfAnotherReasonWhenThatLasts() {
    look(2_000, 0, Limit.CPU, 3);
    look(2_000, 0, Limit.UPLINK, 4);
    look(2_000, 0, Limit.CPU, 1);
    assertEquals(1, heard.size());
    look(2_000, 0, Limit.DESTINATION, 5);
    assertEquals(2, heard.size());
    assertTrue(heard.getLast().contains("the destination fails"), heard.getLast());
  }

  @Test
  void segmentsAndAgeFollowFromTheBound() {
    assertEquals(8 << 20, AtRiskBound.NONE.segmentBytes());
    assertEquals(Optional.empty(), AtRiskBound.NONE.maxAge());
    assertEquals(8 << 20, bytes(1L << 40).segmentBytes());
    assertEquals(4 << 20, bytes(32 << 20).segmentBytes());
    assertEquals(1 << 20, bytes(1_000).segmentBytes());
    assertEquals(Optional.of(Duration.ofMillis(3_750)), BOUND.maxAge());
    assertEquals("64MiB,5s", new AtRiskBound(OptionalLong.of(64 << 20), BOUND.age()).toString());
    assertEquals("1000B", bytes(1_000).toString());
    assertTrue(AtRiskBound.NONE.isNone());
    assertFalse(BOUND.isNone());
  }

  private static AtRiskBound bytes(long bytes) {
    return new AtRiskBound(OptionalLong.of(bytes), Optional.empty());
  }
}
