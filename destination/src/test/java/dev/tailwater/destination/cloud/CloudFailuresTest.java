package dev.tailwater.destination.cloud;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class CloudFailuresTest {
  private final CloudFailures<IllegalStateException> failures =
      new CloudFailures<>(URI.create("s3://bucket/prefix"), IllegalStateException.class) {
        @Override
        protected DestinationException of(String operation, String key, IllegalStateException e) {
          return noAnswer(operation, key, e);
        }

        @Override
        protected boolean asksToSlowDown(IllegalStateException e) {
          return false;
        }
      };

  @Test
  void aConnectionThatEndsWithinAnAnswerIsTriedAgain() {
    DestinationException failure =
        failures.translated("put", "key", new UncheckedIOException(new EOFException("cut off")));
    assertFalse(failure.permanent());
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("cut off"), message);
    assertFalse(message.contains("Exception"), message);
  }

  @Test
  void aRequestThatIsCancelledIsAFailureOfTheDestination() {
    DestinationException failure = failures.translated("put", "key", new CancellationException());
    assertFalse(failure.permanent());
    assertTrue(String.valueOf(failure.getMessage()).contains("was cancelled"), failure::toString);
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void aThreadThatIsInterruptedWhileItWaitsForAConnectionStaysSo() {
    Thread.currentThread().interrupt();
    DestinationException failure = failures.translated("put", "key", new CancellationException());
    assertTrue(Thread.interrupted());
    assertTrue(String.valueOf(failure.getMessage()).contains("interrupted"), failure::toString);
  }

  @Test
  void exceptionsWithoutAMessageAreToldInWords() {
    ConnectException refused = new ConnectException("cannot connect to 127.0.0.1:1");
    refused.initCause(new ConnectException().initCause(new ClosedChannelException()));
    TransientDestinationException failure = failures.noAnswer("list", "web-1/", refused);
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains("cannot connect to 127.0.0.1:1: closed channel"), message);
    assertFalse(message.contains("Exception"), message);
  }

  @Test
  void anAnswerThatBreaksOffIsToldWithoutTheNameOfAClass() throws IOException {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new EOFException("Premature end of the body");
          }

          @Override
          public int read(byte[] target, int from, int length) throws IOException {
            return read();
          }
        };
    StoredObject.Found answer =
        new StoredObject.Found(broken, () -> {}, OptionalLong.of(5), Optional.empty());
    URI uri = URI.create("s3://bucket/prefix");
    TimeLimits limits = TimeLimits.STANDARD;
    try (ObjectBody body = new ObjectBody(answer, uri, "key", 5, limits, System::nanoTime)) {
      TransientDestinationException failure =
          assertThrows(TransientDestinationException.class, body::read);
      assertEquals("reading stopped before the end: Premature end of the body", failure.reason());
    }
  }
}
