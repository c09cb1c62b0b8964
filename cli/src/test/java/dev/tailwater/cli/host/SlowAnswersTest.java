package dev.tailwater.cli.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SlowAnswersTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private Destination open(Duration answer, Duration patience) throws DestinationException {
    Destination slow =
        new ForwardingDestination(InMemoryDestination.create()) {
          @Override
          public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
              throws DestinationException {
            LockSupport.parkNanos(answer.toNanos());
            return super.list(prefix, afterKey, maxEntries);
          }
        };
    return SlowAnswers.open(
        () -> slow, "x://y", new PrintStream(said, true, StandardCharsets.UTF_8), patience);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aCallThatTakesLongIsToldOnce() throws Exception {
    try (Destination slow = open(Duration.ofSeconds(2), Duration.ofMillis(200))) {
      slow.list("", Optional.empty(), 1);
      assertTrue(said().startsWith("tailwater: waiting for the answer of "), said());
      assertTrue(said().contains(" to 'list', for "), said());
      assertEquals(1, said().lines().count(), said());
    }
  }

  @Test
  void otherwiseNothingIsSaid() throws Exception {
    try (Destination quick = open(Duration.ZERO, Duration.ofSeconds(30))) {
      quick.list("", Optional.empty(), 1);
    }
    assertEquals("", said());
  }
}
