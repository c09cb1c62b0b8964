package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.testkit.Command;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class UninterruptedTest {
  @Test
  void aProgramIsWaitedForThoughTheInterruptComesWhileItRuns() throws Exception {
    Thread caller = Thread.currentThread();
    CountDownLatch running = new CountDownLatch(1);
    Thread interrupter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    running.await();
                    caller.interrupt();
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });

    Command.Result result =
        Uninterrupted.call(
            () -> {
              running.countDown();
              return Command.run(List.of("sleep", "0.5"));
            });

    interrupter.join();
    assertTrue(result.succeeded(), result::toString);
    assertTrue(Thread.interrupted(), "the caller still knows that it was interrupted");
  }

  @Test
  void whatIsThrownArrivesAsItIs() {
    IOException failure = new IOException("busy");
    assertSame(
        failure,
        assertThrows(
            IOException.class,
            () ->
                Uninterrupted.run(
                    () -> {
                      throw failure;
                    })));
    assertEquals(
        "no",
        assertThrows(
                IllegalStateException.class,
                () ->
                    Uninterrupted.run(
                        () -> {
                          throw new IllegalStateException("no");
                        }))
            .getMessage());
    assertFalse(Thread.interrupted());
  }
}
