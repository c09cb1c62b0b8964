package dev.tailwater.delivery.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.pack.PackNotes;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackSwitch;
import dev.tailwater.delivery.pack.PackUse;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a deliverer does with what no thread can deliver: each buffer is given back once. */
class DelivererTest {
  private final Deadline soon = Deadline.after(Duration.ofMinutes(1));

  private final List<Thread> made = new ArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<String> released = new CopyOnWriteArrayList<>();
  private final TestPacks packs = new TestPacks();
  private final AtomicBoolean isAway = new AtomicBoolean();
  private final Destination destination =
      FaultyDestination.wrap(
          InMemoryDestination.create(),
          DestinationFaultPlan.when(_ -> isAway.get(), DestinationFault.FAIL_TRANSIENT));
  private volatile boolean threadsAreShort;
  private volatile boolean clockFails;
  private KeyValueStore store;
  private Problems problems;
  private CheckpointStore checkpoints;
  private Deliverer deliverer;

  private final class Heard extends NobodyListens {
    @Override
    public void delivered(Delivery delivery, boolean own) {
      heard.add("segment delivered");
    }

    @Override
    public void undelivered(Delivery delivery) {
      heard.add("segment given up");
    }

    @Override
    public void delivered(PackedDelivery delivery) {
      heard.add("pack delivered");
    }

    @Override
    public void undelivered(PackedDelivery delivery) {
      heard.add("pack given up");
    }
  }

  private Thread make(String name, Runnable work) {
    if (threadsAreShort) { // Here, since an executor does not call Thread.start().
      throw new OutOfMemoryError("unable to create native thread: says a test");
    }
    Thread thread = Thread.ofPlatform().name(name).daemon(true).unstarted(work);
    thread.setUncaughtExceptionHandler((_, _) -> {});
    made.add(thread);
    return thread;
  }

  private long millis() {
    if (clockFails && Thread.currentThread().getName().startsWith("deliver-")) {
      throw new IllegalStateException("the clock is broken: says a test");
    }
    return 0;
  }

  @BeforeEach
  void create(@TempDir Path base) throws Exception {
    problems = new Problems(new Heard(), this::millis);
    store =
        TransactionLogStore.open(
            LinuxFileCalls.create(), PosixPath.of(base.resolve("state")), StoreOptions.defaults());
    checkpoints = new CheckpointStore(store, store, "memory:/");
    deliverer = create(RetryPolicy.forever());
  }

  private Deliverer create(RetryPolicy retries) {
    CheckpointSaver saver = new CheckpointSaver(checkpoints, problems);
    return new Deliverer(
        destination,
        saver,
        new Heard(),
        problems,
        new DelivererSettings(
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            retries,
            LaneMeter.create(System::nanoTime),
            System::nanoTime,
            new Random(1),
            new DeliveryThreads.Settings(this::make, Optional.empty(), new Tempo())),
        new PackStages(
            new PackSwitch(PackUse.NEVER, Duration.ZERO, System::nanoTime),
            0,
            new Codec.Zstd(1),
            new PackGroups("agent", new SecureRandom(), () -> 0),
            new PackNotes(checkpoints, saver),
            new FactQueue(System::nanoTime),
            new PackInventory(destination, "agent", Optional::empty, problems)));
  }

  @AfterEach
  void close() throws Exception {
    deliverer.close();
    store.close();
  }

  /** No tail reads what the packs here hold. */
  private static void nothingMoves() {}

  /** Ends the only thread, by a failure that cannot even be reported, and keeps others away. */
  private void loseTheThread() throws Exception {
    threadsAreShort = true;
    clockFails = true;
    deliverer.ask(
        () -> "answer",
        _ -> {
          throw new IllegalStateException("says a test");
        });
    assertTrue(made.getFirst().join(Duration.ofMinutes(1)));
    clockFails = false;
  }

  private Delivery segment() {
    FileIdentity identity = new FileIdentity(1, 2, OptionalLong.empty(), OptionalLong.empty());
    StreamId id = StreamId.of("agent", identity, 0);
    return new Delivery(
        new SealedSegment("key", new ByteRange(0, 3), new byte[3], 0, 3, 0),
        Optional.empty(),
        StreamProgress.begin("agent", identity, id, PosixPath.of("/logs/app.log"), 0),
        Marker.NONE,
        0,
        0,
        () -> released.add("segment"));
  }

  @Test
  void aPackThatNoThreadCanDeliverIsGivenUpAndNotPutByALaterThread() throws Exception {
    loseTheThread();
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("first")), DelivererTest::nothingMoves);
    assertEquals(List.of("first"), released);
    assertEquals(List.of("pack given up"), heard);
    assertEquals(0, deliverer.underWay());
    threadsAreShort = false;
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("second")), DelivererTest::nothingMoves);
    assertTrue(deliverer.awaitIdle(soon));
    assertEquals(List.of("first", "second"), released);
    assertEquals(List.of("pack given up", "pack delivered"), heard);
  }

  @Test
  void aPackOverWhichTheTailsCannotMoveIsNotDelivered() {
    List<Integer> counted = new ArrayList<>();
    PackedDelivery.Part part =
        new PackedDelivery.Part(segment().stream(), new ByteRange(0, 3), Marker.NONE, 0);
    PackedDelivery pack = packs.pack(packs.group(), 0, List.of(part), () -> released.add("pack"));
    assertThrows(
        IllegalStateException.class,
        () ->
            deliverer.deliver(
                pack,
                () -> {
                  counted.add((int) deliverer.notDurableBytes());
                  throw new IllegalStateException("says a test");
                }));
    assertEquals(List.of(3), counted, "under way while the tails move");
    assertEquals(0, deliverer.notDurableBytes());
    assertEquals(List.of(), released, "the buffer is still the caller's");
    assertEquals(List.of(), heard);
  }

  @Test
  void aSegmentThatNoThreadCanDeliverIsGivenUpAndStaysAtRisk() throws Exception {
    loseTheThread();
    deliverer.deliver(segment());
    assertEquals(List.of("segment"), released);
    assertEquals(List.of("segment given up"), heard);
    assertEquals(3, deliverer.notDurableBytes());
    assertEquals(0, deliverer.underWay());
  }

  @Test
  void whatComesAfterTheEndIsGivenUp() throws Exception {
    deliverer.close();
    deliverer.deliver(segment());
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("pack")), DelivererTest::nothingMoves);
    assertEquals(List.of("segment", "pack"), released);
    assertEquals(List.of("segment given up", "pack given up"), heard);
    assertEquals(0, deliverer.underWay());
  }

  /** Its buffer may be another worker's by now. */
  @Test
  void aPackWhoseBufferCannotBeReleasedIsDeliveredOnceAndTheNextOneToo() throws Exception {
    deliverer.deliver(
        packs.pack(
            packs.group(),
            0,
            () -> {
              released.add("first");
              throw new IllegalStateException("says a test");
            }),
        DelivererTest::nothingMoves);
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("second")), DelivererTest::nothingMoves);
    assertTrue(deliverer.awaitIdle(soon));
    assertEquals(List.of("first", "second"), released);
    assertEquals(List.of("pack delivered", "pack delivered"), heard);
  }

  @Test
  void aFailureThatCannotBeReportedHoldsUpNoLaterPack() throws Exception {
    clockFails = true;
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("first")), DelivererTest::nothingMoves);
    assertTrue(made.getFirst().join(Duration.ofMinutes(1)));
    clockFails = false;
    deliverer.deliver(
        packs.pack(packs.group(), 0, () -> released.add("second")), DelivererTest::nothingMoves);
    assertTrue(deliverer.awaitIdle(soon));
    assertEquals(List.of("first", "second"), released);
    assertEquals(List.of("pack given up", "pack delivered"), heard);
  }

  /** What is asked again is asked one after the other. */
  @Test
  void filesThatVanishedAreWaitedForOnceHoweverOftenTheDestinationIsAsked() throws Exception {
    try (Deliverer once = create(RetryPolicy.until(Duration.ofMillis(1)))) {
      isAway.set(true);
      for (int inode = 0; inode < 5; inode++) {
        FileIdentity identity =
            new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
        StreamProgress stream =
            StreamProgress.begin(
                "agent",
                identity,
                StreamId.of("agent", identity, 0),
                PosixPath.of("/logs/" + inode),
                0);
        stream.sizeSeen(7);
        once.endVanished(stream, true, 0);
      }
      assertTrue(once.awaitIdle(soon));
      assertTrue(once.hasUnanswered());
      isAway.set(false);
      long startNanos = System.nanoTime();
      once.ask(() -> "answer", _ -> {});
      assertTrue(once.awaitIdle(soon));
      assertFalse(once.hasUnanswered());
      long tookMillis = Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
      assertTrue(tookMillis < 3000, tookMillis + " ms for what takes a second each");
    }
  }
}
