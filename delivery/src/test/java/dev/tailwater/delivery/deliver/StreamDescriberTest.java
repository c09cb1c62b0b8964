package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the archive is told of streams, while others end them. */
class StreamDescriberTest {
  private static final int STREAMS = 5_000;

  private final AtomicInteger untold = new AtomicInteger();
  private final Heard heard = new Heard();
  private final Problems problems = new Problems(heard, () -> 0);
  private KeyValueStore store;
  private StreamDescriber describer;

  private final class Heard extends NobodyListens {
    @Override
    public void completed(StreamProgress stream) {
      if (stream.isUndescribed()) {
        untold.incrementAndGet();
      }
    }
  }

  @BeforeEach
  void create(@TempDir Path base) throws Exception {
    store =
        TransactionLogStore.open(
            LinuxFileCalls.create(), PosixPath.of(base.resolve("state")), StoreOptions.defaults());
    CheckpointStore checkpoints = new CheckpointStore(store, store, "memory:/");
    DelivererSettings settings =
        new DelivererSettings(
            1,
            RetryPolicy.forever(),
            LaneMeter.create(System::nanoTime),
            System::nanoTime,
            new Random(1));
    Retrier retrier = new Retrier(settings, problems, () -> {});
    retrier.abandon(); // So that nothing is told: the store would be written to each time.
    describer =
        new StreamDescriber(
            InMemoryDestination.create(),
            retrier,
            new CheckpointSaver(checkpoints, problems),
            heard,
            problems,
            Optional.empty(),
            Optional.empty());
  }

  @AfterEach
  void close() throws Exception {
    store.close();
  }

  private static StreamProgress stream(int number) {
    FileIdentity identity = new FileIdentity(1, number, OptionalLong.empty(), OptionalLong.empty());
    StreamProgress stream =
        StreamProgress.begin(
            "agent", identity, StreamId.of("agent", identity, 0), PosixPath.of("/logs/app.log"), 0);
    stream.acknowledge(new ByteRange(0, 3), Marker.NONE);
    return stream;
  }

  private StreamDescriber.Next describe(StreamProgress stream) {
    assertTrue(describer.begin(stream));
    try {
      return describer.describe(stream);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Then its checkpoint is gone: if the agent is killed, nobody tells of the end or of its gap. */
  @Test
  void noStreamIsForgottenBeforeTheArchiveKnowsOfAnEndThatComesJustThen() throws Exception {
    for (int number = 0; number < STREAMS; number++) {
      StreamProgress stream = stream(number);
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<Void> told =
          CompletableFuture.runAsync(
              () -> {
                begun.countDown();
                while (describe(stream) == StreamDescriber.Next.SAID && untold.get() == 0) {
                  Thread.onSpinWait();
                }
              });
      begun.await();
      stream.end(new Ending(StreamRecord.EndReason.TRUNCATED, 3, 7, 0));
      told.get();
    }
    assertEquals(0, untold.get());
  }
}
