package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UnsaidTest {
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final Problems problems =
      new Problems(
          new ProblemListener() {
            @Override
            public void began(Problem problem) {
              told.countDown();
              try {
                mayGoOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }

            @Override
            public void ended(Problem problem) {}
          },
          () -> 0);
  private final Unsaid unsaid = new Unsaid(URI.create("memory:/"), problems);

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamProgress.begin(
        "agent", identity, StreamId.of("agent", identity, 0), PosixPath.of("/logs/app.log"), 0);
  }

  private int open() {
    return problems.open().size();
  }

  @Test
  void isAProblemUntilAllIsSaid() {
    mayGoOn.countDown();
    unsaid.givenUp(stream(1), () -> {});
    StreamProgress second = stream(2);
    StreamProgress third = stream(3);
    unsaid.givenUp(second, () -> {});
    unsaid.givenUp(third, () -> {});
    unsaid.said(second);
    unsaid.said(third);
    assertEquals(1, open());
  }

  /** As one that writes to a pipe of which nobody reads. */
  @Test
  @Timeout(60)
  void aListenerThatHangsHoldsUpNobodyElse() throws Exception {
    StreamProgress first = stream(1);
    StreamProgress second = stream(2);
    Thread reports = Thread.ofPlatform().start(() -> unsaid.givenUp(first, () -> {}));
    told.await();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  unsaid.givenUp(second, () -> {});
                  unsaid.said(first);
                  unsaid.said(second);
                });
    boolean ended = other.join(Duration.ofSeconds(5));
    mayGoOn.countDown();
    reports.join();
    other.join();
    assertTrue(ended);
    assertEquals(List.of(), problems.open());
  }

  /** One thread ends the problem of a first stream; others come to a second one meanwhile. */
  @Test
  void whatIsSaidWhileItIsReportedIsNoProblem() {
    StreamProgress first = stream(1);
    StreamProgress second = stream(2);
    AtomicInteger looksAtClock = new AtomicInteger(Integer.MAX_VALUE);
    AtomicReference<Runnable> onEnd = new AtomicReference<>(() -> {});
    AtomicReference<Runnable> onClock = new AtomicReference<>(() -> {});
    ProblemListener listener =
        new ProblemListener() {
          @Override
          public void began(Problem problem) {}

          @Override
          public void ended(Problem problem) {
            onEnd.getAndSet(() -> {}).run();
          }
        };
    Problems problems =
        new Problems(
            listener,
            () -> {
              if (looksAtClock.decrementAndGet() == 0) {
                onClock.getAndSet(() -> {}).run();
              }
              return 0;
            });
    Unsaid all = new Unsaid(URI.create("memory:/"), problems);
    onClock.set(() -> all.said(second));
    all.givenUp(first, () -> {});
    onEnd.set(
        () -> {
          all.givenUp(second, () -> {});
          looksAtClock.set(2); // The end is told by then, and the second one is being reported.
        });
    all.said(first);
    assertTrue(looksAtClock.get() <= 0);
    assertEquals(List.of(), problems.open());
  }
}
