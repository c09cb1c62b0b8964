package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.io.Descriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of reads by threads where a process may have only few, as in many containers. */
@Timeout(60)
class FewThreadsTest {
  private static final int DEPTH = 8;

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private ReadsFixture fixture;

  @BeforeEach
  void writeFile() throws IOException {
    fixture = new ReadsFixture(directory, 300_000);
  }

  @AfterEach
  void freeMemory() {
    fixture.close();
  }

  /** As many as that, then what the JVM throws when the system has no more. */
  private static ThreadFactory atMost(int threads) {
    AtomicInteger made = new AtomicInteger();
    return work -> {
      if (made.incrementAndGet() > threads) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return Thread.ofPlatform().daemon().unstarted(work);
    };
  }

  private void readsWith(int threads) throws IOException {
    PreadWorkers workers = new PreadWorkers(fixture.calls, DEPTH, atMost(threads));
    try (Descriptor descriptor = fixture.descriptor();
        SharedQueue queue = new SharedQueue(workers, DEPTH)) {
      RandomFile file = RandomFile.of(descriptor);
      for (int round = 0; round < 5; round++) {
        List<ReadRequest> batch = fixture.randomBatch(file, new Random(round + 1L), 100);
        fixture.check(batch, new Batch(queue, batch).run());
        assertEquals(0, queue.inFlight());
      }
    } finally {
      workers.close();
    }
  }

  @Test
  void fewerThreadsThanWantedDoAllTheSame() throws IOException {
    readsWith(1);
    readsWith(3);
  }

  @Test
  void withoutASingleThreadItFailsAndWaitsForNothing() {
    assertThrows(OutOfMemoryError.class, () -> readsWith(0));
  }
}
