package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.name.PackName;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several threads that want the packs of one agent listed again. */
class RelistedPacksTest {
  private static final String AGENT = "web-1";
  private static final long PATIENCE_SECONDS = 30;

  private final TestArchive archive = TestArchive.inMemory();
  private final CountDownLatch listing = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger listings = new AtomicInteger();
  private final SegmentSource source =
      new SegmentSource(new Hanging(archive.destination), TestArchive.options());
  private ArchivedStream stream;

  /** Answers the list of packs when it may. */
  private final class Hanging extends ForwardingDestination {
    Hanging(Destination real) {
      super(real);
    }

    @Override
    public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
        throws DestinationException {
      if (prefix.equals(PackName.prefix(AGENT))) {
        listings.incrementAndGet();
        listing.countDown();
        try {
          assertTrue(answer.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return super.list(prefix, afterKey, maxEntries);
    }
  }

  @BeforeEach
  void deliverAPack() throws Exception {
    TestPacks packs = new TestPacks(archive, AGENT, 1000, List.of());
    packs.add(archive.stream("/p/file", 1), 0, Bytes.text("text"));
    packs.deliver();
    stream = archive.index(TestArchive.options()).streams().getFirst();
  }

  private Thread start(FutureTask<ArchivedStream> task) {
    return Thread.ofPlatform().daemon(true).start(task);
  }

  private FutureTask<ArchivedStream> relisting() {
    return new FutureTask<>(() -> source.relisted(stream));
  }

  private static ArchivedStream result(FutureTask<ArchivedStream> task) throws Exception {
    return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void whoWaitsForAListOfPacksCanBeInterrupted() throws Exception {
    FutureTask<ArchivedStream> first = relisting();
    start(first);
    assertTrue(listing.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    FutureTask<ArchivedStream> second = relisting();
    Thread waiting = start(second);
    waiting.interrupt();
    ExecutionException failed = assertThrows(ExecutionException.class, () -> result(second));
    assertInstanceOf(InterruptedIOException.class, failed.getCause());
    assertFalse(first.isDone());
    answer.countDown();
    assertEquals(2, result(first).segments().size()); // Beside the known one.
  }

  @Test
  void severalThatWaitShareOneList() throws Exception {
    List<FutureTask<ArchivedStream>> all =
        List.of(relisting(), relisting(), relisting(), relisting());
    all.forEach(this::start);
    assertTrue(listing.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    answer.countDown();
    for (FutureTask<ArchivedStream> one : all) {
      assertEquals(2, result(one).segments().size()); // Beside the known one.
    }
    assertEquals(1, listings.get());
  }
}
