package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.SwitchedDestination.Mode;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.drain.DrainReport;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.retry.Backoff;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drain has no time for the pauses that spare a destination in trouble. */
class DrainRetriesTest {
  /** A policy that waits half an hour or more after each refusal. */
  private static final RetryPolicy RARELY =
      new RetryPolicy(
          new Backoff(Duration.ofHours(1), Duration.ofHours(1)),
          Duration.ofHours(1),
          Optional.empty());

  private final SwitchedDestination archive = SwitchedDestination.inMemory("archive");
  private final AtomicInteger refusals = new AtomicInteger();

  /** Counts the segments that were refused. */
  private final class Counted extends ForwardingDestination {
    Counted() {
      super(archive);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      try {
        return real().putSegment(key, content);
      } catch (DestinationException e) {
        refusals.incrementAndGet();
        throw e;
      }
    }
  }

  @Test
  void usesADestinationThatComesBackAfterTheDrainHasBegun(@TempDir Path base) throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = place.log("app.log");
    Files.writeString(log, "one\n");
    try (TestAgent agent = TestAgent.start(place.config(), new Counted(), RARELY)) {
      agent.awaitDelivered(log);
      archive.set(Mode.REFUSING);
      Files.writeString(log, "two\n", StandardOpenOption.APPEND);
      TestAgent.await("it is refused", () -> refusals.get() == 1);
      CompletableFuture<DrainReport> drain =
          CompletableFuture.supplyAsync(() -> drainAndGoOn(agent));
      TestAgent.await("it is refused in the drain", () -> refusals.get() >= 2);
      archive.set(Mode.UP);
      assertTrue(drain.get().isComplete(), () -> drain.join().toString());
    }
  }

  private static DrainReport drainAndGoOn(TestAgent agent) {
    try {
      return agent.agent().drainAndGoOn(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Fails once, after longer than a run that ends by itself retries. */
  private static final class SlowToFail extends ForwardingDestination {
    private final AtomicBoolean failed = new AtomicBoolean();

    SlowToFail(Destination real) {
      super(real);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      if (!failed.getAndSet(true)) {
        LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
        throw new TransientDestinationException(uri(), "put", key, "nothing is read", "a test");
      }
      return super.putSegment(key, content);
    }
  }

  @Test
  void aRunThatEndsByItselfTriesAgainHoweverLongTheFirstAttemptTook(@TempDir Path base)
      throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Files.writeString(place.log("app.log"), "one\n");
    try (TestAgent agent = TestAgent.startOnce(place.config(), new SlowToFail(archive))) {
      DrainReport report = agent.agent().drain(Optional.empty());
      assertTrue(report.isComplete(), report::toString);
    }
  }

  @Test
  @Timeout(60)
  void aRunThatEndsByItselfGivesUpADestinationThatNeverAnswers(@TempDir Path base)
      throws Exception {
    TestAgent.Place place = new TestAgent.Place(base.toRealPath());
    Path log = place.log("app.log");
    Files.writeString(log, "one\n");
    try (TestAgent agent = TestAgent.startOnce(place.config(), archive)) {
      assertTrue(agent.agent().drain(Optional.empty()).isComplete());
    }
    Files.writeString(log, "two\n", StandardOpenOption.APPEND);
    archive.set(Mode.DOWN);
    try (TestAgent agent = TestAgent.startOnce(place.config(), archive)) {
      DrainReport report = agent.agent().drain(Optional.empty());
      assertEquals(4, report.leftBehindBytes(), report::toString);
    }
  }
}
