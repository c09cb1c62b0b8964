package dev.tailwater.delivery.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.archive.StreamId;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.StreamProgress;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DelivererSettings;
import dev.tailwater.delivery.deliver.Delivery;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.DeliveryListener;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.delivery.route.Pacer;
import dev.tailwater.delivery.seal.DuePolicy;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock stands still unless a test moves it, and nothing is ever delivered. */
class LaneDrainTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private List<Tail> tails = List.of();
  private long nanos = 7;

  /** Who has nothing to say. */
  private static final class Nobody implements DeliveryListener, ProblemListener {
    @Override
    public void delivered(Delivery delivery, boolean own) {}

    @Override
    public void undelivered(Delivery delivery) {}

    @Override
    public void completed(StreamProgress stream) {}

    @Override
    public void began(Problem problem) {}

    @Override
    public void ended(Problem problem) {}
  }

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private LaneDrain bestEffort(KeyValueStore store) {
    Destination destination = InMemoryDestination.create();
    Deliverer deliverer =
        new Deliverer(
            destination,
            new CheckpointStore(store, "memory:/"),
            new Nobody(),
            new Problems(new Nobody(), () -> 0),
            new DelivererSettings(
                1,
                RetryPolicy.forever(),
                LaneMeter.create(() -> nanos),
                () -> nanos,
                new Random(1)));
    DrainLane lane =
        new DrainLane(
            "other",
            false,
            () -> tails,
            new DueQueue(new DuePolicy(1, 1), () -> nanos),
            deliverer,
            new DeliveryCounters(),
            new Pacer(Bandwidth.UNLIMITED, () -> nanos, () -> LocalTime.NOON),
            Optional.empty(),
            _ -> {},
            destination);
    return new LaneDrain(lane, () -> nanos);
  }

  private static Tail tail(Path file) throws Exception {
    Files.writeString(file, "unread\n");
    PosixPath path = PosixPath.of(file);
    TailOpener.Opened opened = new TailOpener(CALLS, false, List.of()).open(path).orElseThrow();
    StreamProgress stream =
        StreamProgress.begin(
            "agent", opened.identity(), StreamId.of("agent", opened.identity(), 0), path, 0);
    Tail tail =
        new Tail(
            new WatchedFile(opened.descriptor(), path, opened.identity(), ArchivedNames.OWN),
            0,
            stream,
            true,
            true);
    tail.refresh(0, 0);
    return tail;
  }

  @Test
  void countsNoTimeAgainstADestinationInWhichItHadNothingToDo(@TempDir Path base) throws Exception {
    Tail tail = tail(base.toRealPath().resolve("app.log"));
    try (KeyValueStore store =
        TransactionLogStore.open(
            CALLS, PosixPath.of(base.resolve("state")), StoreOptions.defaults())) {
      LaneDrain drain = bestEffort(store);
      pass(60); // The first look takes long.
      tails = List.of(tail);
      drain.aimAtWhatWasSeen();
      assertEquals(LaneDrain.State.IDLE, drain.state());
      tails = List.of();
      drain.aimAtWhatWasSeen();
      assertEquals(LaneDrain.State.REACHED, drain.state());
      pass(60); // A required destination takes long.
      assertEquals(LaneDrain.State.REACHED, drain.state());
      pass(60); // And so does the next look.
      tails = List.of(tail);
      drain.aimAtWhatWasSeen();
      assertEquals(LaneDrain.State.IDLE, drain.state());
      pass(4);
      assertEquals(LaneDrain.State.IDLE, drain.state());
      pass(1);
      assertEquals(LaneDrain.State.STALLED, drain.state());
      drain.aimAtWhatWasSeen();
      assertEquals(LaneDrain.State.STALLED, drain.state(), "it is not waited for again");
    } finally {
      tail.file().giveUpDescriptor().orElseThrow().close();
    }
  }
}
