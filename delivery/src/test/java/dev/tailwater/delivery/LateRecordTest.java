package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A record of a drain that arrives after the next one of the same drain. */
class LateRecordTest {
  private static final String KEY = ArchiveNames.lastDrain(TestAgent.NAME);
  private static final int LATE_BYTES = 5;

  private final CountDownLatch secondIsThere = new CountDownLatch(1);
  private final CountDownLatch firstIsThere = new CountDownLatch(1);

  /** Lets the file grow while the first record is on its way, which arrives after the second. */
  private final class Reordering extends ForwardingDestination {
    private final AtomicInteger records = new AtomicInteger();
    private final Path log;

    Reordering(Destination real, Path log) {
      super(real);
      this.log = log;
    }

    @Override
    public void putObject(String key, byte[] content) throws DestinationException {
      boolean isRecord = key.equals(KEY);
      boolean first = isRecord && records.getAndIncrement() == 0;
      if (first) {
        grow();
      }
      real().putObject(key, content);
      if (first) {
        firstIsThere.countDown();
      } else if (isRecord) {
        secondIsThere.countDown();
      }
    }

    private void grow() {
      try {
        Files.writeString(log, "late\n", StandardOpenOption.APPEND);
        assertTrue(secondIsThere.await(20, TimeUnit.SECONDS));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void doesNotReplaceTheOneThatSaysWhatIsLeftBehind(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = place.log("app.log");
    Files.writeString(log, "one\n");
    Destination archive = InMemoryDestination.create();
    Destination late = new Reordering(archive, log);
    try (TestAgent agent = TestAgent.start(place.config(), late, TestAgent.REAL_CALLS)) {
      agent.awaitDelivered(log);
      DrainReport report = agent.agent().drain(Optional.of(Duration.ofSeconds(2)));
      assertEquals(LATE_BYTES, report.leftBehindBytes(), report::toString);
      assertTrue(firstIsThere.await(20, TimeUnit.SECONDS));
      TestAgent.await("what is left is told", () -> leftBytes(archive) == LATE_BYTES);
    }
    assertEquals(LATE_BYTES, leftBytes(archive));
  }

  private static long leftBytes(Destination archive) throws IOException {
    try (InputStream record = archive.read(KEY, 0, Long.MAX_VALUE)) {
      return LastDrain.fromJson(record.readAllBytes(), TestAgent.NAME).leftBytes();
    }
  }
}
