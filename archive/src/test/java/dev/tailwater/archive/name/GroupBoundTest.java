package dev.tailwater.archive.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GroupBoundTest {
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
  private final GroupBound bound = new GroupBound(millis::get);

  private static PackGroup atMillis(long begunMillis) {
    return PackGroup.begin(TimeUnit.MILLISECONDS.toNanos(begunMillis), new SecureRandom());
  }

  @Test
  void allowsWhatAnAgentWhoseClockWasAheadByAYearHasBegun() {
    long yearAheadMillis = millis.get() + TimeUnit.DAYS.toMillis(366);
    assertTrue(bound.allows(atMillis(yearAheadMillis)));
    assertFalse(bound.allows(atMillis(yearAheadMillis + 1)));
    millis.incrementAndGet();
    assertTrue(bound.allows(atMillis(yearAheadMillis + 1)), "time goes on");
  }

  @Test
  void allowsTheFirstOfAllGroupsAndNotTheLast() {
    PackGroup last = atMillis(Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, last.begunNanos());
    assertFalse(bound.allows(last));
    assertTrue(bound.allows(PackGroup.EARLIEST));
    assertTrue(GroupBound.none().allows(last));
  }
}
