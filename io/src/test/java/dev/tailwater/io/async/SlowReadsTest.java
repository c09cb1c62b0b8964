package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads that stay in flight for long: a FUSE file system that answers late, or never. */
@Timeout(120)
class SlowReadsTest {
  private static final int BLOCK_BYTES = 4096;

  /** Fewer than the FUSE server answers at once. */
  private static final int DEPTH = 8;

  private static final long LONG_MICROS = 2_000_000;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static FuseFileSystem slow;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static ReadsFixture fixture;

  @BeforeAll
  static void mount() throws IOException {
    slow = FuseFileSystem.mount(FuseOptions.direct());
    fixture = new ReadsFixture(slow.root(), 100 * BLOCK_BYTES);
  }

  @AfterAll
  @SuppressWarnings("NullAway") // null when the mount was skipped
  static void unmount() throws IOException {
    if (slow != null) {
      slow.close();
    }
  }

  @AfterEach
  void answerAtOnce() throws IOException {
    slow.delayReads(0);
  }

  private static void submit(ReadQueue queue, RandomFile file, MemorySegment[] targets) {
    for (int i = 0; i < targets.length; i++) {
      targets[i] = fixture.target(BLOCK_BYTES);
      queue.submit(file, (long) i * BLOCK_BYTES, targets[i], i);
    }
  }

  private static void awaitRequests(long count) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (slow.counts().readRequests() < count) {
      assertTrue(
          System.nanoTime() < deadlineNanos,
          () -> count + " requests never came to the file system");
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void checkAll(MemorySegment[] targets) {
    for (int i = 0; i < targets.length; i++) {
      fixture.check((long) i * BLOCK_BYTES, targets[i], BLOCK_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void hasTheWholeDepthInFlightWhereEveryReadBlocks(ReadEngine engine) throws IOException {
    ReadsFixture.assumeThereIs(engine);
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = fixture.open(engine, DEPTH);
        ReadQueue queue = reads.openQueue()) {
      MemorySegment[] targets = new MemorySegment[DEPTH];
      ReadsFixture.Results results = new ReadsFixture.Results(DEPTH);
      slow.reset();
      slow.delayReads(LONG_MICROS);
      submit(queue, RandomFile.of(descriptor), targets);
      assertEquals(0, queue.pollSome(results));
      awaitRequests(DEPTH);
      assertEquals(0, results.count);
      while (queue.awaitSome(results) > 0) {}
      assertEquals(DEPTH, results.count);
      checkAll(targets);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void closeWaitsUntilTheKernelWritesToNoTargetAnyMore(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    long descriptorsBefore = ReadsFixture.openDescriptors();
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomReads reads = fixture.open(engine, DEPTH);
      ReadQueue queue = reads.openQueue();
      MemorySegment[] targets = new MemorySegment[DEPTH];
      ReadsFixture.Results results = new ReadsFixture.Results(DEPTH);
      slow.reset();
      slow.delayReads(500_000);
      submit(queue, RandomFile.of(descriptor), targets);
      assertEquals(0, queue.pollSome(results));
      Thread closing = Thread.ofPlatform().start(() -> closeQuietly(reads));
      closing.join();
      checkAll(targets);
      assertTrue(queue.isClosed());
      assertThrows(IllegalStateException.class, () -> queue.awaitSome(results));
      assertEquals(0, results.count);
    }
    assertEquals(descriptorsBefore, ReadsFixture.openDescriptors());
  }

  private static void closeQuietly(RandomReads reads) {
    try {
      reads.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void closeWaitsForCallersOfAllKinds(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    for (int round = 0; round < 5; round++) {
      slow.reset();
      slow.delayReads(50_000);
      AtomicInteger done = new AtomicInteger();
      List<Thread> callers = new ArrayList<>();
      try (Descriptor descriptor = fixture.descriptor()) {
        RandomReads reads = fixture.open(engine, 4);
        RandomFile file = RandomFile.of(descriptor);
        for (int i = 0; i < 6; i++) {
          int count = 1 + i / 2;
          Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
          callers.add(builder.start(() -> readUntilClosed(reads, file, count, done)));
        }
        awaitRequests(4);
        reads.close();
        for (Thread caller : callers) {
          caller.join();
        }
        assertEquals(callers.size(), done.get());
      }
    }
  }

  private static void readUntilClosed(
      RandomReads reads, RandomFile file, int count, AtomicInteger done) {
    List<ReadRequest> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batch.add(new ReadRequest(file, (long) i * BLOCK_BYTES, fixture.target(BLOCK_BYTES)));
    }
    try {
      while (true) {
        fixture.check(batch, reads.readAll(batch));
      }
    } catch (IllegalStateException e) {
      assertEquals("the random reads are closed", e.getMessage());
      done.incrementAndGet();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void anInterruptDoesNotEndTheWaitAndIsNotLost(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    for (boolean virtual : new boolean[] {false, true}) {
      try (Descriptor descriptor = fixture.descriptor();
          RandomReads reads = fixture.open(engine, 4)) {
        RandomFile file = RandomFile.of(descriptor);
        slow.reset();
        slow.delayReads(300_000);
        List<ReadRequest> batch =
            List.of(
                new ReadRequest(file, 0, fixture.target(BLOCK_BYTES)),
                new ReadRequest(file, BLOCK_BYTES, fixture.target(BLOCK_BYTES)));
        List<Object> outcome = new ArrayList<>();
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        Thread caller =
            builder.start(
                () -> {
                  try {
                    fixture.check(batch, reads.readAll(batch));
                    outcome.add(Thread.currentThread().isInterrupted());
                  } catch (IOException | RuntimeException e) {
                    outcome.add(e);
                  }
                });
        awaitRequests(2);
        caller.interrupt();
        caller.join();
        assertEquals(List.of(true), outcome, virtual ? "virtual" : "platform");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void virtualThreadsThatWaitHoldNoCarrier(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    int readers = Runtime.getRuntime().availableProcessors() + 2;
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = fixture.open(engine, 2)) {
      RandomFile file = RandomFile.of(descriptor);
      slow.reset();
      slow.delayReads(LONG_MICROS);
      AtomicInteger done = new AtomicInteger();
      List<Thread> waiting = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        ReadRequest request = new ReadRequest(file, 0, fixture.target(BLOCK_BYTES));
        waiting.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        fixture.check(List.of(request), reads.readAll(List.of(request)));
                        done.incrementAndGet();
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }));
      }
      awaitRequests(2);
      Thread.ofVirtual().start(() -> {}).join();
      assertEquals(0, done.get(), "a virtual thread ran only when reads were done");
      slow.delayReads(0);
      for (Thread each : waiting) {
        each.join();
      }
      assertEquals(readers, done.get());
    }
  }

  @ParameterizedTest
  @EnumSource(ReadEngine.class)
  void givesAFailureForEachReadWhenTheFileSystemDies(ReadEngine engine) throws Exception {
    ReadsFixture.assumeThereIs(engine);
    FuseFileSystem dying = FuseFileSystem.mount(FuseOptions.direct());
    Descriptor[] opened = new Descriptor[1];
    try (ReadsFixture files = new ReadsFixture(dying.root(), 10 * BLOCK_BYTES);
        RandomReads reads = files.open(engine, 4);
        ReadQueue queue = reads.openQueue()) {
      opened[0] = files.descriptor();
      RandomFile file = RandomFile.of(opened[0]);
      dying.delayReads(60_000_000);
      ReadsFixture.Results results = new ReadsFixture.Results(4);
      for (int i = 0; i < 4; i++) {
        queue.submit(file, (long) i * BLOCK_BYTES, files.target(BLOCK_BYTES), i);
      }
      assertEquals(0, queue.pollSome(results));
      assertTrue(dying.server().destroyForcibly());
      while (queue.awaitSome(results) > 0) {}
      assertEquals(4, results.failures.size());
      ReadRequest late = new ReadRequest(file, 0, files.target(8));
      for (ReadResult result : reads.readAll(List.of(late, late))) {
        assertTrue(result.failure().isPresent());
      }
    } catch (Exception | Error e) {
      unmountQuietly(dying, e);
      throw e;
    }
    ErrnoException unflushed = assertThrows(ErrnoException.class, opened[0]::close);
    assertEquals(Errno.ENOTCONN, unflushed.errno(), "close(2) flushes, and nobody is there");
    assertThrows(IOException.class, dying::close, "which says that the server has ended");
  }

  /** A test that fails leaves no mount behind either. */
  private static void unmountQuietly(FuseFileSystem mount, Throwable failure) {
    try {
      mount.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Test
  void closeWaitsForWhatIsInFlightEvenWhenNoCallWorksAnyMore() throws Exception {
    ReadsFixture.assumeThereIs(ReadEngine.URING);
    AtomicInteger entered = new AtomicInteger();
    FaultPlan afterTheSubmission =
        FaultPlan.once(
            call -> call.is("ioUringEnter") && entered.incrementAndGet() == 3,
            new Fault.CrashBefore());
    FaultyFileCalls faulty = FaultyFileCalls.wrap(fixture.calls, afterTheSubmission);
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomReads reads =
          RandomReads.open(faulty.calls(), RandomReadOptions.defaults().withQueueDepth(DEPTH));
      ReadQueue queue = reads.openQueue();
      MemorySegment[] targets = new MemorySegment[DEPTH];
      ReadsFixture.Results results = new ReadsFixture.Results(DEPTH);
      slow.reset();
      slow.delayReads(500_000);
      submit(queue, RandomFile.of(descriptor), targets);
      assertEquals(0, queue.pollSome(results));
      assertThrows(CrashError.class, () -> queue.awaitSome(results));
      assertThrows(CrashError.class, queue::close);
      checkAll(targets);
      faulty.kill();
    }
  }
}
