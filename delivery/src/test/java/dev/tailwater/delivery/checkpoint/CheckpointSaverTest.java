package dev.tailwater.delivery.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CheckpointSaverTest {
  private static final String AGENT = "agent";
  private static final PosixPath PATH = PosixPath.of("/logs/app.log");

  private final AtomicBoolean full = new AtomicBoolean();
  private final AtomicBoolean slow = new AtomicBoolean();
  private final AtomicInteger syncs = new AtomicInteger();
  private final Problems problems = new Problems(new UnheardProblems(), () -> 0);
  private KeyValueStore store;
  private CheckpointStore checkpoints;
  private CheckpointSaver saver;

  @BeforeEach
  void openStore(@TempDir Path base) throws Exception {
    FaultyFileCalls calls = FaultyFileCalls.wrap(LinuxFileCalls.create(), this::decide);
    store =
        TransactionLogStore.open(
            calls.calls(), PosixPath.of(base.resolve("state")), StoreOptions.defaults());
    checkpoints = new CheckpointStore(store, store, "memory:/");
    saver = new CheckpointSaver(checkpoints, problems);
  }

  @AfterEach
  void closeStore() throws Exception {
    full.set(false);
    saver.end();
    store.close();
  }

  private Fault decide(Call call) {
    if (call.is("fdatasync")) {
      syncs.incrementAndGet();
      if (slow.get()) {
        return new Fault.Delay(200);
      }
    }
    return full.get() && call.is("pwrite") ? new Fault.Fail(Errno.ENOSPC) : Fault.PROCEED;
  }

  private static StreamProgress stream(long inode) {
    FileIdentity identity = new FileIdentity(1, inode, OptionalLong.empty(), OptionalLong.empty());
    return StreamProgress.begin(AGENT, identity, StreamId.of(AGENT, identity, 0), PATH, 0);
  }

  private static void acknowledge(StreamProgress stream, long untilBytes) {
    stream.acknowledge(new ByteRange(stream.durableBytes(), untilBytes), Marker.NONE);
  }

  @Test
  void aNoteThatCouldNotBeWrittenIsWrittenLaterThoughNoCheckpointFollows() throws Exception {
    full.set(true);
    assertFalse(saver.note("loss of state", () -> checkpoints.noteLoss(77)));
    assertEquals(1, problems.open().size());
    assertFalse(saver.isSaved());
    full.set(false);
    while (!saver.isSaved()) {
      Thread.onSpinWait();
    }
    assertTrue(checkpoints.lossSince(77));
    assertEquals(List.of(), problems.open());
  }

  @Test
  @Timeout(60)
  void anErrorWhileANoteIsWrittenIsReportedAndItIsTriedAgain() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    assertFalse(
        saver.note(
            "loss of state",
            () -> {
              if (attempts.incrementAndGet() <= 2) {
                throw new AssertionError("says a test");
              }
            }));
    assertTrue(problems.open().getFirst().message().contains("says a test"));
    while (!saver.isSaved()) {
      Thread.sleep(5);
    }
    assertEquals(3, attempts.get());
    assertEquals(List.of(), problems.open());
  }

  @Test
  @Timeout(60)
  void whatOthersReportIsOverOnceTheDiskWorksThoughNothingIsSaved() throws Exception {
    full.set(true);
    saver.reportFailed(new IOException("says another"));
    assertEquals("says another", problems.open().getFirst().message());
    while (problems.open().getFirst().times() < 2) {
      Thread.sleep(5); // The disk is still full.
    }
    full.set(false);
    while (!problems.open().isEmpty()) {
      Thread.sleep(5);
    }
  }

  private List<Long> saved() throws Exception {
    List<Long> durable = new ArrayList<>();
    checkpoints.files().forEach(checkpoint -> durable.add(checkpoint.durable().bytes()));
    return durable;
  }

  @Test
  void anOlderCheckpointNeverReplacesANewerOne() throws Exception {
    StreamProgress stream = stream(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int step = 0; step < 50; step++) {
                      synchronized (stream) {
                        acknowledge(stream, stream.durableBytes() + 1);
                      }
                      saver.save(stream);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(400L), saved());
  }

  @Test
  void whatCouldNotBeSavedIsSavedWithTheNext() throws Exception {
    StreamProgress first = stream(1);
    saver.save(first);
    full.set(true);
    acknowledge(first, 10);
    saver.save(first);
    assertEquals(List.of(0L), saved());
    full.set(false);
    saver.save(stream(2));
    assertTrue(saved().contains(10L));
  }

  @Test
  void whatCouldNotBeSavedIsTriedAgainByItself() throws Exception {
    StreamProgress stream = stream(1);
    full.set(true);
    saver.save(stream);
    assertFalse(problems.open().isEmpty());
    full.set(false);
    while (saved().isEmpty() || !problems.open().isEmpty()) {
      Thread.sleep(5);
    }
  }

  @Test
  void anEndSaysWhetherEverythingIsSavedARemovalToo() throws Exception {
    StreamProgress stream = stream(1);
    saver.save(stream);
    full.set(true);
    saver.forgetAll(List.of(stream));
    assertFalse(saver.end());
    full.set(false);
    assertTrue(saver.end());
    assertEquals(List.of(), saved());
  }

  @Test
  void checksumsThatWereTakenAreSavedLaterIfThoseOfAnotherStreamCannotBeTaken() throws Exception {
    StreamProgress first = stream(1);
    long lengthBytes = 20L * BlockSums.BLOCK_BYTES; // Not saved with each checkpoint.
    BlockRun read = new BlockRun(0);
    read.addZeros(lengthBytes);
    first.blocks().append(read);
    acknowledge(first, lengthBytes);
    StreamProgress second = stream(2);
    Field incomplete = BlockSums.class.getDeclaredField("incomplete");
    incomplete.setAccessible(true);
    Object sums = incomplete.get(second.blocks());
    incomplete.set(second.blocks(), null); // They cannot be taken, as where memory is short.
    saver.saveAll(List.of(first, second));
    assertEquals(1, problems.open().size());
    assertTrue(first.blocks().hasUnsaved());
    incomplete.set(second.blocks(), sums);
    assertTrue(saver.end());
    assertFalse(first.blocks().hasUnsaved());
  }

  @Test
  void manyStreamsAreForgottenInOneWrite() throws Exception {
    List<StreamProgress> streams = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      streams.add(stream(i));
    }
    saver.saveAll(streams);
    int before = syncs.get();
    saver.forgetAll(streams);
    assertEquals(List.of(), saved());
    assertEquals(1, syncs.get() - before);
  }

  private void awaitSyncs(int count) throws InterruptedException {
    while (syncs.get() < count) {
      Thread.sleep(1);
    }
  }

  /** The pauses after failures grow; those after other writes do not. */
  @Test
  @Timeout(60)
  void whatIsToBeSavedSoonIsSavedSoonThoughOthersAreBeingWritten() throws Exception {
    int before = syncs.get();
    slow.set(true);
    saver.saveSoon(stream(0));
    int rounds = 5;
    for (int round = 1; round <= rounds; round++) {
      awaitSyncs(before + round);
      saver.saveSoon(stream(round)); // While others are being written.
      if (round < rounds) {
        Thread.sleep(400); // That is over then.
        saver.saveSoon(stream(100 + round));
      }
    }
    long startNanos = System.nanoTime();
    while (!saver.isSaved()) {
      Thread.sleep(5);
    }
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    assertTrue(tookMillis < 3_000, () -> tookMillis + " ms");
  }
}
