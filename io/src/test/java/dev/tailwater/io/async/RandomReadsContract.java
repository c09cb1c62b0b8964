package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.PageSize;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every engine does alike, whoever calls it. */
@Timeout(120)
abstract class RandomReadsContract {
  private static final int FILE_BYTES = 3_000_017;

  @TempDir private Path directory;
  private final ReadEngine engine;

  @SuppressWarnings("NullAway.Init") // before each test
  private ReadsFixture fixture;

  RandomReadsContract(ReadEngine engine) {
    this.engine = engine;
  }

  @BeforeEach
  void writeFile() throws IOException {
    ReadsFixture.assumeThereIs(engine);
    fixture = new ReadsFixture(directory, FILE_BYTES);
  }

  @AfterEach
  void freeMemory() {
    fixture.close();
  }

  /** Runs it on a platform thread, then on a virtual one, which take different ways. */
  private static void onBothThreads(Callable body) throws Exception {
    body.run();
    Throwable[] thrown = new Throwable[1];
    Thread virtual =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    body.run();
                  } catch (Throwable e) {
                    thrown[0] = e;
                  }
                });
    virtual.join();
    if (thrown[0] != null) {
      throw new AssertionError("on a virtual thread", thrown[0]);
    }
  }

  private interface Callable {
    void run() throws Exception;
  }

  @Test
  void readsWhatTheFileHoldsInRandomBatches() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            for (int round = 0; round < 30; round++) {
              try (RandomReads reads = fixture.open(engine, 1 + random.nextInt(40))) {
                assertEquals(engine, reads.engine().engine());
                for (int i = 0; i < 5; i++) {
                  List<ReadRequest> batch = fixture.randomBatch(file, random, 100);
                  fixture.check(batch, reads.readAll(batch));
                }
              }
            }
          });
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void readsTheSameWhenTheDiskIsAsked() throws Exception {
    try (Descriptor descriptor = fixture.descriptor();
        RandomReads reads = fixture.open(engine, 32)) {
      fixture.calls.fsync(descriptor.fd());
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            for (int round = 0; round < 5; round++) {
              fixture.calls.fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
              List<ReadRequest> batch = fixture.randomBatch(file, new Random(round), 100);
              fixture.check(batch, reads.readAll(batch));
            }
          });
    }
  }

  @Test
  void waitsForTheDiskEvenOnADescriptorThatMustNotBlock() throws Exception {
    try (Descriptor descriptor = fixture.descriptor(OpenFlag.NON_BLOCK);
        RandomReads reads = fixture.open(engine, 8)) {
      fixture.calls.fsync(descriptor.fd());
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            fixture.calls.fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
            List<ReadRequest> batch = fixture.randomBatch(file, new Random(3), 60);
            fixture.check(batch, reads.readAll(batch));
          });
    }
  }

  @Test
  void givesTheSameToPlatformAndVirtualThreadsThatReadAtOnce() throws Exception {
    try (RandomReads reads = fixture.open(engine, 16);
        Descriptor descriptor = fixture.descriptor();
        ExecutorService platform = Executors.newFixedThreadPool(8);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      RandomFile file = RandomFile.of(descriptor);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        Random random = new Random(i);
        all.add(
            (i % 2 == 0 ? platform : virtual)
                .submit(
                    () -> {
                      for (int round = 0; round < 10; round++) {
                        List<ReadRequest> batch = fixture.randomBatch(file, random, 20);
                        fixture.check(batch, reads.readAll(batch));
                      }
                      return null;
                    }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  @Test
  void completesReadsThatNobodyWaitsFor() throws Exception {
    try (RandomReads reads = fixture.open(engine, 4);
        Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            List<ReadRequest> batch = fixture.randomBatch(file, new Random(9), 100);
            List<CompletableFuture<ReadResult>> begun = new ArrayList<>();
            for (ReadRequest request : batch) {
              begun.add(reads.read(request));
            }
            List<ReadResult> results = new ArrayList<>();
            for (CompletableFuture<ReadResult> each : begun) {
              results.add(each.get());
            }
            fixture.check(batch, results);
          });
    }
  }

  @Test
  void closeWaitsForReadsThatNobodyWaitsFor() throws Exception {
    try (Descriptor descriptor = fixture.descriptor()) {
      List<ReadRequest> batch = fixture.randomBatch(RandomFile.of(descriptor), new Random(11), 100);
      List<CompletableFuture<ReadResult>> begun = new ArrayList<>();
      RandomReads reads = fixture.open(engine, 4);
      for (ReadRequest request : batch) {
        begun.add(reads.read(request));
      }
      reads.close();
      List<ReadResult> results = new ArrayList<>();
      for (CompletableFuture<ReadResult> each : begun) {
        results.add(each.get());
      }
      fixture.check(batch, results);
      assertThrows(IllegalStateException.class, () -> reads.read(batch.getFirst()));
    }
  }

  @Test
  void streamsManyTimesTheDepthAndGivesEachTagOnce() throws Exception {
    int count = 2_000;
    try (RandomReads reads = fixture.open(engine, 7);
        Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            Random random = new Random(5);
            long[] offsets = random.longs(count, 0, FILE_BYTES + 100).toArray();
            MemorySegment[] targets = new MemorySegment[count];
            ReadsFixture.Results results = new ReadsFixture.Results(count);
            try (ReadQueue queue = reads.openQueue()) {
              assertEquals(7, queue.depth());
              assertEquals(0, queue.awaitSome(results));
              assertEquals(0, queue.pollSome(results));
              int submitted = 0;
              while (results.count < count) {
                while (submitted < count && queue.inFlight() < queue.depth()) {
                  targets[submitted] = fixture.target(1 + random.nextInt(3_000));
                  queue.submit(file, offsets[submitted], targets[submitted], submitted);
                  submitted++;
                }
                int before = results.count;
                int some =
                    random.nextBoolean() ? queue.awaitSome(results) : queue.pollSome(results);
                assertEquals(before + some, results.count);
                assertEquals(submitted - results.count, queue.inFlight());
              }
            }
            for (int i = 0; i < count; i++) {
              fixture.check(offsets[i], targets[i], results.bytes[i]);
            }
          });
    }
  }

  /** Keeps the depth full from inside of the handler. */
  private static final class Refilling implements ReadHandler {
    private final ReadQueue queue;
    private final RandomFile file;
    private final MemorySegment[] targets;
    private int left;
    private int done;

    Refilling(ReadQueue queue, RandomFile file, MemorySegment[] targets, int left) {
      this.queue = queue;
      this.file = file;
      this.targets = targets;
      this.left = left;
    }

    void submit(int target) {
      left--;
      queue.submit(file, target * 100L, targets[target], target);
    }

    @Override
    public void completed(long tag, int bytes) {
      done++;
      if (left > 0) {
        submit((int) tag);
      }
    }

    @Override
    public void failed(long tag, ErrnoException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void takesTheNextRequestInsideOfTheHandler() throws Exception {
    try (RandomReads reads = fixture.open(engine, 4);
        Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            MemorySegment[] targets = new MemorySegment[4];
            try (ReadQueue queue = reads.openQueue()) {
              Refilling handler = new Refilling(queue, file, targets, 500);
              for (int i = 0; i < targets.length; i++) {
                targets[i] = fixture.target(100);
                handler.submit(i);
              }
              while (queue.inFlight() > 0) {
                assertTrue(queue.awaitSome(handler) > 0);
              }
              assertEquals(500, handler.done);
            }
            for (int i = 0; i < targets.length; i++) {
              fixture.check(i * 100L, targets[i], 100);
            }
          });
    }
  }

  @Test
  void keepsTheOtherResultsWhenTheHandlerThrows() throws Exception {
    try (RandomReads reads = fixture.open(engine, 8);
        Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      onBothThreads(
          () -> {
            ReadsFixture.Results results = new ReadsFixture.Results(8);
            IllegalStateException mine = new IllegalStateException("mine");
            ReadHandler throwing =
                new ReadHandler() {
                  @Override
                  public void completed(long tag, int bytes) {
                    results.completed(tag, bytes);
                    throw mine;
                  }

                  @Override
                  public void failed(long tag, ErrnoException failure) {
                    throw new AssertionError(failure);
                  }
                };
            try (ReadQueue queue = reads.openQueue()) {
              for (int i = 0; i < 8; i++) {
                queue.submit(file, i, fixture.target(10), i);
              }
              for (int i = 1; i <= 8; i++) {
                assertSame(
                    mine,
                    assertThrows(IllegalStateException.class, () -> queue.awaitSome(throwing)));
                assertEquals(i, results.count);
              }
              assertEquals(0, queue.awaitSome(throwing));
            }
          });
    }
  }

  @Test
  void readsPastThePageCacheToTheUnalignedEnd() throws Exception {
    int page = PageSize.bytes();
    Descriptor direct;
    try {
      direct = fixture.descriptor(OpenFlag.DIRECT);
    } catch (ErrnoException e) {
      assumeTrue(e.errno() != Errno.EINVAL, "the file system of the test has no O_DIRECT");
      throw e;
    }
    try (direct;
        RandomReads reads = fixture.open(engine, 8)) {
      RandomFile file = RandomFile.of(direct);
      onBothThreads(
          () -> {
            List<ReadRequest> batch = new ArrayList<>();
            for (long offset = 0; offset < FILE_BYTES + 3L * page; offset += 37L * page) {
              batch.add(new ReadRequest(file, offset, fixture.arena.allocate(8L * page, page)));
            }
            long last = (long) FILE_BYTES / page * page;
            batch.add(new ReadRequest(file, last, fixture.arena.allocate(8L * page, page)));
            fixture.check(batch, reads.readAll(batch));
          });
    }
  }

  @Test
  void saysWhatIsNotAlignedWithoutThePageCache() throws Exception {
    try (Descriptor direct = fixture.descriptor(OpenFlag.DIRECT);
        RandomReads reads = fixture.open(engine, 8)) {
      RandomFile file = RandomFile.of(direct);
      onBothThreads(
          () -> {
            ReadRequest odd =
                new ReadRequest(file, 1, fixture.arena.allocate(4096, 4096).asSlice(1, 100));
            List<ReadResult> results = reads.readAll(List.of(odd, odd));
            assumeTrue(
                results.getFirst().failure().isPresent(),
                "the file system of the test takes unaligned reads with O_DIRECT");
            for (ReadResult result : results) {
              ErrnoException failure = result.failure().orElseThrow();
              assertEquals(Errno.EINVAL, failure.errno());
              assertEquals(
                  "read "
                      + fixture.path
                      + " at offset 1: EINVAL (Invalid argument; with DIRECT the target's address"
                      + " and length and the offset must be multiples of the block size)",
                  failure.getMessage());
            }
          });
    }
  }

  @Test
  void givesEachRequestItsOwnFailure() throws Exception {
    try (Descriptor readable = fixture.descriptor();
        Descriptor writable = fixture.descriptor(OpenFlag.WRITE_ONLY);
        RandomReads reads = fixture.open(engine, 4)) {
      RandomFile good = RandomFile.of(readable);
      RandomFile bad = RandomFile.of(writable);
      onBothThreads(
          () -> {
            List<ReadRequest> batch = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
              batch.add(new ReadRequest(i % 3 == 1 ? bad : good, i * 10L, fixture.target(10)));
            }
            List<ReadResult> results = reads.readAll(batch);
            for (int i = 0; i < 20; i++) {
              if (i % 3 == 1) {
                ReadResult result = results.get(i);
                ErrnoException failure =
                    assertThrows(ErrnoException.class, () -> result.bytesOrThrow());
                assertEquals(Errno.EBADF, failure.errno());
                assertEquals("read", failure.operation());
                assertEquals(fixture.path + " at offset " + i * 10, failure.subject());
              } else {
                fixture.check(i * 10L, batch.get(i).target(), results.get(i).bytesOrThrow());
              }
            }
          });
      assertInstanceOf(
          ErrnoException.class,
          reads
              .readAll(List.of(new ReadRequest(bad, 0, fixture.target(1))))
              .getFirst()
              .failure()
              .orElseThrow());
    }
  }

  @Test
  void leavesNoDescriptorAndNoThreadBehind() throws Exception {
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      Runnable use = () -> useAndClose(file);
      onBothThreads(use::run); // what is loaded and opened once for the whole process
      long before = ReadsFixture.openDescriptors();
      for (int i = 0; i < 20; i++) {
        onBothThreads(use::run);
      }
      assertEquals(before, ReadsFixture.openDescriptors());
      assertEquals(
          List.of(),
          Thread.getAllStackTraces().keySet().stream()
              .map(Thread::getName)
              .filter(name -> name.startsWith("tailwater-random-read"))
              .toList());
    }
  }

  private void useAndClose(RandomFile file) {
    try (RandomReads reads = fixture.open(engine, 4);
        ReadQueue _ = reads.openQueue()) {
      ReadQueue forgotten = reads.openQueue();
      forgotten.submit(file, 0, fixture.target(10), 1);
      assertEquals(0, reads.readAll(List.of()).size());
      List<ReadRequest> batch = fixture.randomBatch(file, new Random(1), 9);
      fixture.check(batch, reads.readAll(batch));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
