package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;

/** Who tries again says so: the hint of a failure itself promises nothing. */
class HintsTest {
  private static final URI PLACE = URI.create("x://y");

  @Test
  void aFailureThatMayPassIsTriedAgainByTheAgentOrByTheUser() {
    DestinationException e =
        new TransientDestinationException(PLACE, "read", "k", "why", "The network stalls.");

    assertEquals("The network stalls.", e.hint());
    assertEquals("The network stalls. It is tried again.", e.retryHint());
    assertEquals("The network stalls. Try again.", e.finalHint());
  }

  @Test
  void nobodyIsToldToRepeatWhatDoesNotPass() {
    DestinationException e =
        new PermanentDestinationException(PLACE, "put", "k", "why", "Use a shorter prefix.");

    assertEquals("Use a shorter prefix.", e.retryHint());
    assertEquals("Use a shorter prefix.", e.finalHint());
  }
}
