package dev.tailwater.delivery.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChangeTimeTest {
  private static final long CHANGED = TimeUnit.SECONDS.toNanos(1_000);
  private static final long CHANGED_LATER = CHANGED + 1;
  private static final long EARLIER = CHANGED - TimeUnit.DAYS.toNanos(1);
  private static final long PASSED_MILLIS = 1_002_000;

  private final ChangeTime unread = ChangeTime.unread();
  private final ChangeTime resumed = ChangeTime.saved(OptionalLong.of(CHANGED));

  @Test
  void nothingVouchesForAFileThatWasNotSeen() {
    assertEquals(OptionalLong.empty(), unread.vouching());
    assertEquals(OptionalLong.empty(), ChangeTime.saved(OptionalLong.empty()).vouching());
  }

  @Test
  void theTimeOfAWriteVouches() {
    ChangeTime notSaved = ChangeTime.saved(OptionalLong.empty());
    notSaved.seen(CHANGED, CHANGED, PASSED_MILLIS);
    assertEquals(OptionalLong.of(CHANGED), notSaved.vouching());
  }

  @Test
  void aTimeFromBeforeAnythingWasReadVouches() {
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS);
    assertEquals(OptionalLong.of(CHANGED), unread.vouching());
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS + 1);
    assertEquals(OptionalLong.of(CHANGED), unread.vouching());
  }

  @Test
  void aTimeThatMayHideAWriteDoesNot() {
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS);
    unread.seen(CHANGED_LATER, EARLIER, PASSED_MILLIS + 1);
    assertEquals(OptionalLong.empty(), unread.vouching());
    unread.seen(CHANGED_LATER, EARLIER, PASSED_MILLIS + 2);
    assertEquals(OptionalLong.empty(), unread.vouching());
  }

  @Test
  void theNextWriteVouchesAgain() {
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS);
    unread.seen(CHANGED_LATER, EARLIER, PASSED_MILLIS + 1);
    unread.seen(CHANGED_LATER + 1, CHANGED_LATER + 1, PASSED_MILLIS + 2);
    assertEquals(OptionalLong.of(CHANGED_LATER + 1), unread.vouching());
  }

  @Test
  void aTimeThatALaterChangeMayHaveTooDoesNotVouchYet() {
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS - 1);
    assertEquals(OptionalLong.empty(), unread.vouching());
    unread.seen(CHANGED, EARLIER, PASSED_MILLIS);
    assertEquals(OptionalLong.of(CHANGED), unread.vouching());
  }

  @Test
  void aTimeInTheFutureDoesNotVouch() {
    unread.seen(Long.MAX_VALUE, Long.MAX_VALUE, PASSED_MILLIS);
    assertEquals(OptionalLong.empty(), unread.vouching());
  }

  @Test
  void theTimeOfAnEarlierRunVouchesUntilItIsAnother() {
    assertEquals(OptionalLong.of(CHANGED), resumed.vouching());
    resumed.seen(CHANGED, EARLIER, PASSED_MILLIS);
    assertEquals(OptionalLong.of(CHANGED), resumed.vouching());
    resumed.seen(CHANGED_LATER, EARLIER, PASSED_MILLIS);
    assertEquals(OptionalLong.empty(), resumed.vouching());
  }
}
