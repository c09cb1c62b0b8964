package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which signals are a second one. */
class StopSignalsTest {
  private long nanos = 1;

  @ParameterizedTest
  @CsvSource({
    // What timeout(1) and supervisors send: one to the process, one to its group.
    "TERM 0 TERM, false",
    "TERM 1999 TERM, false",
    "TERM 2000 TERM, true",
    "TERM 0 TERM 500 TERM, false",
    "TERM 0 TERM 2500 TERM, true",
    "TERM 0 INT, false",
    "INT 0 TERM, false",
    "INT 2000 TERM, true",
    "HUP 10 TERM, false",
    // A wrapper that passes on what the terminal has sent to both.
    "INT 5 INT, false",
    // Ctrl-C, typed twice.
    "INT 150 INT, true",
    "INT 5 INT 200 INT, true",
    "TERM 10 INT 300 INT, true",
  })
  void aSecondSignalIsOneThatSomebodyMeant(String signals, boolean isSecond) throws Exception {
    StopSignals heard = new StopSignals(() -> nanos);
    String[] words = signals.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      if (i > 0) {
        nanos += Duration.ofMillis(Long.parseLong(words[i - 1])).toNanos();
      }
      heard.arrived(words[i]);
    }
    assertEquals(1, heard.first().join());
    AtomicBoolean second = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    heard.awaitSecond();
                    second.set(true);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } finally {
                    ended.countDown();
                  }
                });
    if (!isSecond) {
      waiting.interrupt();
    }
    assertTrue(ended.await(60, TimeUnit.SECONDS));
    assertEquals(isSecond, second.get());
  }
}
