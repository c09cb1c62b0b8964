package dev.tailwater.store.datafile.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a writer sees of the write that it waits for. */
class CommitTest {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final Commit commit = new Commit(1);

  @Test
  void nobodyParksForAnOutcomeWhoseWakeUpALockHasUsedUp() throws InterruptedException {
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  commit.isAwaitedBy(Thread.currentThread());
                  commit.complete(null);
                  LockSupport.park(); // as the wait for a lock does, in which the wake-up comes
                  commit.park(this);
                });
    assertTrue(writer.join(DEADLINE), "parks for ever");
    assertEquals(Optional.empty(), commit.failure());
  }

  @Test
  void whoeverParksIsWokenByTheOutcome() throws InterruptedException {
    Throwable reason = new IllegalStateException("no");
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  commit.isAwaitedBy(Thread.currentThread());
                  while (!commit.isDone()) {
                    commit.park(this);
                  }
                });
    commit.complete(reason);
    assertTrue(writer.join(DEADLINE), "nobody woke it");
    assertEquals(Optional.of(reason), commit.failure());
  }
}
