package dev.tailwater.delivery.drain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.compare.ComparisonQueue;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DelivererSettings;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.NobodyListens;
import dev.tailwater.delivery.deliver.RetryPolicy;
import dev.tailwater.delivery.due.DuePolicy;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.due.TestTails;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.pack.PackNotes;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackSwitch;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.Ending;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock stands still unless a test moves it, and nothing is ever delivered. */
class LaneDrainTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  @TempDir Path base;
  private List<Tail> tails = List.of();
  private long nanos = 7;
  private final DueQueue queue = new DueQueue(new DuePolicy(1, 1), () -> nanos);

  private void pass(long seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private LaneDrain drain(KeyValueStore store, boolean required) {
    Destination destination = InMemoryDestination.create();
    Problems problems = new Problems(new NobodyListens(), () -> 0);
    CheckpointStore checkpoints = new CheckpointStore(store, store, "memory:/");
    Deliverer deliverer =
        new Deliverer(
            destination,
            new CheckpointSaver(checkpoints, problems),
            new NobodyListens(),
            problems,
            new DelivererSettings(
                1,
                RetryPolicy.forever(),
                LaneMeter.create(() -> nanos),
                () -> nanos,
                new Random(1)),
            new PackStages(
                new PackSwitch(PackUse.NEVER, Duration.ZERO, () -> nanos),
                0,
                new Codec.Zstd(1),
                new PackGroups("agent", new SecureRandom(), () -> 0),
                new PackNotes(checkpoints, new CheckpointSaver(checkpoints, problems)),
                new FactQueue(() -> nanos),
                new PackInventory(destination, "agent", Optional::empty, problems)));
    DrainLane lane =
        new DrainLane(
            "other",
            required,
            () -> tails,
            queue,
            deliverer,
            () -> false,
            new DeliveryCounters(),
            Optional.empty(),
            destination,
            Optional.empty());
    return new LaneDrain(lane, () -> nanos);
  }

  private KeyValueStore openStore() throws Exception {
    return TransactionLogStore.open(
        CALLS, PosixPath.of(base.resolve("state")), StoreOptions.defaults());
  }

  private Tail tail() throws Exception {
    Path file = base.toRealPath().resolve("app.log");
    Files.writeString(file, "unread\n");
    PosixPath path = PosixPath.of(file);
    TailOpener.Opened opened = new TailOpener(CALLS, false, List.of()).open(path).orElseThrow();
    WatchedFile watched =
        new WatchedFile(opened.descriptor(), path, opened.identity(), ArchivedNames.OWN, _ -> {});
    Tail tail = new Tail(watched, 0, stream(watched, 0), true, true);
    TailLook.refresh(tail, 0, 0);
    return tail;
  }

  private static StreamProgress stream(WatchedFile file, int epoch) {
    return StreamProgress.begin(
        "agent",
        file.identity(),
        StreamId.of("agent", file.identity(), epoch),
        file.archivedName(),
        0);
  }

  private static void makeDurable(StreamProgress stream, long bytes) {
    stream.acknowledge(new ByteRange(0, bytes), Marker.NONE);
  }

  @Test
  void countsNoTimeAgainstADestinationInWhichItHadNothingToDo() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, false);
      pass(60); // The first look takes long.
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      assertEquals(LaneDrain.State.IDLE, drain.state());
      tails = List.of();
      drain.aimAtWhatWasSeen(true, true);
      assertEquals(LaneDrain.State.REACHED, drain.state());
      pass(60); // A required destination takes long.
      assertEquals(LaneDrain.State.REACHED, drain.state());
      pass(60); // And so does the next look.
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      assertEquals(LaneDrain.State.IDLE, drain.state());
      pass(4);
      assertEquals(LaneDrain.State.IDLE, drain.state());
      pass(1);
      assertEquals(LaneDrain.State.STALLED, drain.state());
      drain.aimAtWhatWasSeen(true, true);
      assertEquals(LaneDrain.State.STALLED, drain.state(), "it is not waited for again");
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void waitsForASecondForADestinationThatIsBusyWithWhatCameLater() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      assertTrue(queue.tryClaim(tail));
      pass(60);
      assertEquals(LaneDrain.State.BUSY, drain.state(), "nothing has arrived");
      deliver(tail);
      assertEquals(LaneDrain.State.BUSY, drain.state(), "it may be done at once");
      pass(1);
      assertEquals(LaneDrain.State.REACHED, drain.state());
      drain.aimAtWhatWasSeen(true, true);
      assertEquals(LaneDrain.State.BUSY, drain.state(), "each aim has its second");
      queue.release(tail);
      assertEquals(LaneDrain.State.REACHED, drain.state());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void aimsAtTheStreamThatADestinationNamesWhenItAnswers() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      StreamProgress known = stream(tail.file(), 3);
      tail.identify(known, true);
      assertFalse(drain.isAimReached(), "nothing has arrived");
      makeDurable(known, tail.observedBytes() - 1);
      assertFalse(drain.isAimReached(), "a byte has not arrived");
      makeDurable(known, tail.observedBytes());
      assertTrue(drain.isAimReached());
      assertEquals(LaneDrain.State.REACHED, drain.state());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  private static void deliver(Tail tail) {
    makeDurable(tail.stream(), tail.observedBytes());
    tail.resumeAt(tail.observedBytes(), Marker.NONE);
  }

  @Test
  void aimsAtWhatATruncatedFileHoldsNow() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      deliver(tail);
      Files.writeString(Path.of(tail.name().toString()), "new\n");
      FileStatus status = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
      drain.aimAtWhatWasSeen(true, true);
      assertFalse(drain.isAimReached(), "it has shrunk");
      StreamProgress old = tail.stream();
      old.end(new Ending(StreamRecord.EndReason.TRUNCATED, 7, 7, 0));
      assertFalse(drain.isAimReached(), "the next stream is about to begin");
      StreamProgress next = stream(tail.file(), 1);
      tail.beginStream(next, status, true, 0);
      assertFalse(drain.isAimReached(), "nothing of it has arrived");
      makeDurable(next, 4);
      assertTrue(drain.isAimReached());
      assertEquals(LaneDrain.State.REACHED, drain.state());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void aimsAtWhatAFileHoldsThatWasTruncatedAndHasGrownUnseen() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      deliver(tail);
      Files.writeString(Path.of(tail.name().toString()), "new and longer\n");
      FileStatus status = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
      drain.aimAtWhatWasSeen(true, true);
      tail.stream().end(new Ending(StreamRecord.EndReason.TRUNCATED, 7, 7, 0));
      StreamProgress next = stream(tail.file(), 1);
      tail.beginStream(next, status, true, 0);
      assertFalse(drain.isAimReached(), "nothing of it has arrived");
      StreamProgress afterTheAim = stream(tail.file(), 2);
      next.end(new Ending(StreamRecord.EndReason.TRUNCATED, 0, 15, 0));
      tail.beginStream(afterTheAim, status, true, 0);
      assertTrue(drain.isAimReached(), "what was aimed at is gone");
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void waitsUntilAFileThatMayHaveBeenWrittenAnewIsCompared() throws Exception {
    Tail tail = tail();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      deliver(tail);
      tail.suspect();
      drain.aimAtWhatWasSeen(true, true);
      assertFalse(drain.isAimReached(), "nobody has looked");
      assertTrue(queue.tryClaim(tail));
      TailLook.refreshForReading(tail, 0, 0);
      assertFalse(drain.isAimReached(), "somebody is looking");
      tail.confirm(tail.observedBytes());
      queue.release(tail);
      assertTrue(drain.isAimReached());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  /** A file of which what was read is durable, and which was written to since. */
  private Tail uncompared() throws Exception {
    Path file = Files.writeString(base.toRealPath().resolve("app.log"), "unread\n");
    Tail tail = TestTails.open(file, CALLS, new ComparisonQueue(new Tempo(), () -> nanos));
    TailLook.refresh(tail, 0, 0);
    BlockRun read = new BlockRun(0);
    read.add("unread\n".getBytes(UTF_8), 0, 7);
    tail.advance(7, Marker.NONE, read, false, 0);
    makeDurable(tail.stream(), 7);
    tail.uncompared();
    return tail;
  }

  @Test
  void aimsAtWhatAComparisonFinds() throws Exception {
    Tail tail = uncompared();
    BlockSums blocks = tail.stream().blocks();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      assertTrue(drain.isComparingAim());
      blocks.found(0, nanos);
      tail.compared(tail.stream(), tail.changes(), false, _ -> {});
      assertFalse(drain.isComparingAim());
      assertFalse(drain.isAimReached(), "it waits to be read");
      pass(1);
      BlockRun read = new BlockRun(0);
      read.add("UNREAD\n".getBytes(UTF_8), 0, 7);
      blocks.handedOver(read, nanos - TimeUnit.SECONDS.toNanos(1));
      assertFalse(drain.isAimReached(), "it is under way");
      blocks.found(0, nanos); // Replaced once more.
      assertFalse(drain.isAimReached(), "it is still under way");
      blocks.revised(read, nanos);
      assertTrue(drain.isAimReached(), "what was replaced later was not aimed at");
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void aimsAtTheStreamOfAFileThatAComparisonFindsToBeAnother() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      assertTrue(drain.isComparingAim());
      tail.suspect();
      tail.comparisonFailed(tail.stream(), tail.changes(), _ -> {});
      assertFalse(drain.isComparingAim());
      assertFalse(drain.isAimReached(), "nobody has looked");
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  /** Has more been read of it, which is not durable. */
  private static void grow(Tail tail) throws Exception {
    Files.writeString(Path.of(tail.name().toString()), "more\n", StandardOpenOption.APPEND);
    TailLook.refresh(tail, 0, 0);
    long from = tail.positionBytes();
    BlockRun read = new BlockRun(from);
    read.add("more\n".getBytes(UTF_8), 0, 5);
    tail.advance(from + 5, Marker.NONE, read, false, 0);
  }

  @Test
  void comparesAFileThatGrowsAsFarAsItWasSeenAndOnce() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      grow(tail);
      assertTrue(drain.isAimReached());
      assertTrue(drain.isComparingAim());
      assertFalse(drain.isAimCompared());
      assertTrue(drain.isInDoubt(), "there was no time for it");
      long changes = tail.changes();
      tail.partCompared(tail.stream(), changes, 6, false, _ -> {});
      assertTrue(drain.isComparingAim(), "a byte was not compared");
      tail.partCompared(tail.stream(), changes, 7, false, _ -> {});
      assertFalse(drain.isComparingAim());
      assertTrue(drain.isAimCompared());
      assertFalse(drain.isInDoubt(), "what it has more is left behind");
      makeDurable(tail.stream(), 12);
      grow(tail);
      drain.aimAtWhatWasSeen(true, true);
      makeDurable(tail.stream(), 17);
      grow(tail);
      assertTrue(drain.isAimReached());
      assertFalse(drain.isComparingAim(), "it would be read as a whole again");
      assertTrue(drain.isAimCompared());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void waitsForAnotherComparisonOfAFileOnlyWhenTheDrainIsToEnd() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, false);
      assertTrue(drain.isComparingAim());
      tail.compared(tail.stream(), tail.changes(), false, _ -> {});
      assertFalse(drain.isComparingAim());
      tail.uncompared();
      drain.aimAtWhatWasSeen(true, false);
      assertFalse(drain.isComparingAim());
      assertTrue(drain.isAimCompared());
      drain.aimAtWhatWasSeen(true, true);
      assertTrue(drain.isComparingAim());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void comparesAFileAgainThatNobodyHadLookedAt() throws Exception {
    Tail tail = uncompared();
    tail.compared(tail.stream(), tail.changes(), false, _ -> {});
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(false, true);
      assertFalse(drain.isComparingAim(), "no change was seen");
      tail.uncompared();
      drain.aimAtWhatWasSeen(true, true);
      grow(tail);
      assertTrue(drain.isComparingAim());
      assertFalse(drain.isAimCompared());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void waitsForNoComparisonThatHasFailedAndDoesNotTakeItForOne() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      drain.aimAtWhatWasSeen(true, true);
      tail.comparisonFailed(tail.stream(), tail.changes(), _ -> {});
      assertFalse(drain.isComparingAim());
      assertFalse(drain.isAimCompared());
      grow(tail);
      assertTrue(drain.isInDoubt());
      tail.partCompared(tail.stream(), tail.changes(), 7, false, _ -> {});
      assertTrue(drain.isAimCompared(), "it was tried again");
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void doesNotTakeAFileForComparedThatWasClosedBefore() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      Descriptor open = tail.file().takeDescriptor().orElseThrow();
      drain.aimAtWhatWasSeen(true, true);
      assertFalse(drain.isComparingAim(), "it may be closed for long");
      assertFalse(drain.isAimCompared());
      assertTrue(drain.lacksComparisons());
      assertTrue(drain.isInDoubt());
      tail.file().adopt(open);
      assertFalse(drain.isAimCompared(), "it is yet to be compared");
      tail.compared(tail.stream(), tail.changes(), false, _ -> {});
      assertTrue(drain.isAimCompared());
      assertFalse(drain.lacksComparisons());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void somethingIsLeftUntilTheWatchHasNotedWhatCannotBeDelivered() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      assertFalse(drain.isNothingLeft(), "it is to be compared");
      tail.compared(tail.stream(), tail.changes(), true, _ -> {});
      assertFalse(drain.isNothingLeft(), "no report tells of it");
      assertTrue(drain.isInDoubt());
      assertTrue(tail.content().takeNewsOfChange());
      assertTrue(drain.isNothingLeft());
      assertFalse(drain.isInDoubt());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void nobodyNotesChangesForADestinationThatIsNotRequired() throws Exception {
    Tail tail = uncompared();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, false);
      tails = List.of(tail);
      tail.compared(tail.stream(), tail.changes(), true, _ -> {});
      assertTrue(drain.isNothingLeft());
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  @Test
  void noStreamIsCompleteThatAWorkerHasUntilTheNextOneBegins() throws Exception {
    Tail tail = tail();
    FileStatus full = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
    Files.writeString(Path.of(tail.name().toString()), "");
    FileStatus empty = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
    try (KeyValueStore store = openStore()) {
      LaneDrain drain = drain(store, true);
      tails = List.of(tail);
      for (int epoch = 1; epoch < 20_000; epoch += 2) {
        assertTrue(queue.tryClaim(tail));
        StreamProgress truncated = stream(tail.file(), epoch);
        makeDurable(truncated, full.sizeBytes());
        tail.beginStream(truncated, full, true, 0);
        tail.resumeAt(full.sizeBytes(), Marker.NONE);
        CountDownLatch asking = new CountDownLatch(1);
        CompletableFuture<List<StreamId>> complete =
            CompletableFuture.supplyAsync(() -> firstComplete(drain, asking));
        asking.await();
        StreamProgress next = stream(tail.file(), epoch + 1);
        tail.beginStream(next, empty, true, 0);
        next.seenEmpty();
        queue.release(tail);
        assertEquals(List.of(next.id()), complete.get());
      }
    } finally {
      tail.file().giveUpDescriptor();
    }
  }

  private static List<StreamId> firstComplete(LaneDrain drain, CountDownLatch asking) {
    asking.countDown();
    List<StreamId> complete = List.of();
    while (complete.isEmpty()) {
      complete = drain.complete();
    }
    return complete;
  }
}
