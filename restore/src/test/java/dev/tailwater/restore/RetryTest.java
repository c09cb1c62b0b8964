package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.retry.Backoff;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryTest {
  @ParameterizedTest
  @CsvSource({"0, 6", "1, 6", "40, 2", "50, 1"})
  void aServerThatDoesNotAnswerIsGivenUpInTime(long attemptSeconds, int attempts) {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger made = new AtomicInteger();
    Retry retry =
        new Retry(
            new ReadAttempts(6, new Backoff(Duration.ZERO, Duration.ZERO), nanos::get),
            new Random(1));
    assertThrows(
        TransientDestinationException.class,
        () ->
            retry.call(
                () -> {
                  made.incrementAndGet();
                  nanos.addAndGet(TimeUnit.SECONDS.toNanos(attemptSeconds));
                  throw new TransientDestinationException(
                      URI.create("x://y"), "read", "key", "timeout", "Wait.");
                }));
    assertEquals(attempts, made.get());
  }

  @Test
  void triesAServerAgainThatGaveSomethingForLongBeforeTheConnectionBroke() throws IOException {
    AtomicLong nanos = new AtomicLong();
    AtomicLong doneBytes = new AtomicLong();
    Retry retry =
        new Retry(
            new ReadAttempts(6, new Backoff(Duration.ZERO, Duration.ZERO), nanos::get),
            new Random(1));

    long result =
        retry.call(
            () -> {
              nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
              if (doneBytes.addAndGet(1000) < 3000) {
                throw new TransientDestinationException(
                    URI.create("x://y"), "read", "key", "connection reset", "Wait.");
              }
              return doneBytes.get();
            },
            doneBytes::get);

    assertEquals(3000, result);
  }
}
