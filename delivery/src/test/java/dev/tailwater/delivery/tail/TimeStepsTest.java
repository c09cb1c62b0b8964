package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeStepsTest {
  private static final long MILLIS = 1_795_000_000_000L;

  private final TimeSteps steps = new TimeSteps();

  private static FileStatus status(long timeMillis) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeMillis);
    return new FileStatus(
        1, 2, EntryType.REGULAR, 0644, 0, 0, 1, 3, 0, 4096, nanos, nanos, OptionalLong.empty(), 0);
  }

  private boolean mayRepeat(long timeMillis, long nowMillis, long nowNanos) {
    return steps.mayRepeat(status(timeMillis), nowMillis, nowNanos);
  }

  @Test
  void aTimeInWholeSecondsIsOverAfterTwo() {
    assertTrue(mayRepeat(MILLIS, MILLIS + 1_999, 0));
    assertFalse(mayRepeat(MILLIS, MILLIS + 2_000, 1));
  }

  @Test
  void aTimeWithAFractionIsOverAtOnce() {
    assertFalse(mayRepeat(MILLIS + 1, MILLIS + 2, 0));
  }

  @Test
  void aTimeInTheFutureIsOverWhenItWasSeenForLongEnough() {
    long nowMillis = MILLIS - 100_000;
    assertTrue(mayRepeat(MILLIS, nowMillis, 5));
    assertTrue(mayRepeat(MILLIS, nowMillis, 4 + TimeUnit.SECONDS.toNanos(2)));
    assertFalse(mayRepeat(MILLIS, nowMillis, 5 + TimeUnit.SECONDS.toNanos(2)));
    assertTrue(mayRepeat(MILLIS + 1_000, nowMillis, 6 + TimeUnit.SECONDS.toNanos(2)));
  }
}
