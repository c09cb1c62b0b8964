package dev.tailwater.delivery.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LateDestinationTest {
  private static final URI PLACE = URI.create("memory:/");

  private final AtomicInteger openings = new AtomicInteger();
  private final AtomicInteger closings = new AtomicInteger();

  /** One that counts how often it is closed. */
  private final class Counted implements Destination {
    private final Destination real = InMemoryDestination.create();

    @Override
    public URI uri() {
      return real.uri();
    }

    @Override
    public Capabilities capabilities() {
      return real.capabilities();
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content)
        throws TransientDestinationException {
      throw new TransientDestinationException(PLACE, "put", key, "not in this test", "None.");
    }

    @Override
    public SegmentUpload beginSegment(String key) throws DestinationException {
      return real.beginSegment(key);
    }

    @Override
    public InputStream read(String key, long offsetBytes, long lengthBytes)
        throws TransientDestinationException {
      throw new TransientDestinationException(PLACE, "read", key, "not in this test", "None.");
    }

    @Override
    public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
        throws DestinationException {
      return real.list(prefix, afterKey, maxEntries);
    }

    @Override
    public void putObject(String key, byte[] content) {}

    @Override
    public void delete(String key) {}

    @Override
    public void close() {
      closings.incrementAndGet();
    }
  }

  @Test
  void isOpenedOnceAndTriedAgainUntilThen() throws Exception {
    LateDestination late =
        new LateDestination(
            PLACE,
            () -> {
              if (openings.incrementAndGet() < 3) {
                throw new TransientDestinationException(PLACE, "open", "", "away", "Wait.");
              }
              return new Counted();
            });
    for (int i = 0; i < 2; i++) {
      assertThrows(TransientDestinationException.class, () -> late.list("", Optional.empty(), 1));
    }
    for (int i = 0; i < 2; i++) {
      assertEquals(0, late.list("", Optional.empty(), 1).entries().size());
    }
    assertEquals(3, openings.get());
    late.close();
    assertEquals(1, closings.get());
    assertThrows(TransientDestinationException.class, () -> late.list("", Optional.empty(), 1));
    assertEquals(1, closings.get());
  }

  @Test
  void whatIsOpenedTooLateIsClosed() throws Exception {
    CountDownLatch underWay = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    LateDestination late =
        new LateDestination(
            PLACE,
            () -> {
              underWay.countDown();
              try {
                goOn.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return new Counted();
            });
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> call =
          thread.submit(
              () ->
                  assertThrows(
                      TransientDestinationException.class,
                      () -> late.list("", Optional.empty(), 1)));
      underWay.await();
      late.close();
      goOn.countDown();
      call.get();
    }
    assertEquals(1, closings.get());
  }
}
