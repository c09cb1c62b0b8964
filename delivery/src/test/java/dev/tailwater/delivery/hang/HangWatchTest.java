package dev.tailwater.delivery.hang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls hang is told by the clock, and by nothing else. */
class HangWatchTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private final AtomicLong nanos = new AtomicLong();
  private final CallSlots slots = new CallSlots();
  private final List<String> open = new ArrayList<>();
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {
              open.add(problem.message());
            }

            @Override
            public void ended(Problem problem) {
              open.remove(problem.message());
            }
          },
          () -> 0);
  private final HangWatch watch = new HangWatch(CALLS, slots, problems, nanos::get, _ -> true);

  private final String nameBefore = Thread.currentThread().getName();

  @AfterEach
  void nameThread() {
    Thread.currentThread().setName(nameBefore);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      watch.look();
    }
  }

  /** Runs an action as the thread that looks at all sources. */
  private CallSlot slotOfWatch() {
    Thread.currentThread().setName(HangWatch.WATCH_THREAD);
    CallSlot slot = slots.ofThread();
    watch.look();
    return slot;
  }

  @Test
  void aCallThatDoesNotReturnIsReportedWithItsPathUntilItDoes() {
    CallSlot slot = slotOfWatch();
    slot.begin("statx", FileCalls.AT_FDCWD, PosixPath.of("/mnt/away/x"));
    pass(5);
    assertEquals(List.of(), open);
    pass(2);
    assertTrue(open.getFirst().contains("statx /mnt/away/x does not return"), open.toString());
    assertTrue(watch.unseenMillis() > 0);
    slot.end();
    assertEquals(List.of(), open);
    assertEquals(0, watch.unseenMillis());
  }

  @Test
  void manyCallsThatReturnAreReportedOnlyWhereALookTakesForTooLong() {
    CallSlot slot = slotOfWatch();
    for (int i = 0; i < 29; i++) {
      slot.begin("statx", FileCalls.AT_FDCWD, PosixPath.of("/mnt/slow/" + i));
      pass(1);
      slot.end();
    }
    assertEquals(List.of(), open);
    pass(2);
    assertTrue(open.getFirst().contains("/mnt/slow/28 and others"), open.toString());
    slot.restChanged();
    assertEquals(List.of(), open);
  }

  @Test
  void aThreadThatWaitsForEventsDoesNotHang() {
    CallSlot slot = slotOfWatch();
    slot.restChanged();
    pass(100);
    assertEquals(List.of(), open);
    assertEquals(0, watch.lookMillis());
  }

  @Test
  void timeInWhichNobodyLookedDoesNotCount() {
    CallSlot slot = slotOfWatch();
    slot.begin("statx", FileCalls.AT_FDCWD, PosixPath.of("/a"));
    watch.look();
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    watch.look();
    assertFalse(watch.unseenMillis() > 0);
    assertEquals(List.of(), open);
  }
}
