package dev.tailwater.delivery.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.due.DuePolicy;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.due.TestTails;
import dev.tailwater.delivery.neighbour.Neighbour;
import dev.tailwater.delivery.neighbour.NeighbourEnvironment;
import dev.tailwater.delivery.neighbour.NeighbourSettings;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.delivery.tail.ComparisonAim;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileRange;
import dev.tailwater.io.Marker;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.ReadCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that compares, beside real files; reads take as long as a test says. */
class ComparerTest {
  private static final int MIB = 1 << 20;
  private static final int FILE_BYTES = 6 * MIB;
  private static final long LONG_AGO_NANOS = TimeUnit.HOURS.toNanos(1);

  private final FileCalls real = LinuxFileCalls.create();
  private final AtomicLong passedNanos = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final Tempo tempo = new Tempo();
  private final ComparisonQueue queue = new ComparisonQueue(tempo, this::nanos);
  private final byte[] content = new byte[FILE_BYTES];
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final Problems problems = new Problems(new Heard(), () -> 0);
  private long readTakesNanos;
  private Runnable whenRead = () -> {};
  private volatile boolean isUnreadable;
  private final AtomicBoolean clockFails = new AtomicBoolean();
  private final List<Boolean> awaitedWhenScheduled = new CopyOnWriteArrayList<>();
  private Path file;
  private volatile Runnable whenScheduled = () -> {};
  private volatile Runnable whenClockIsRead = () -> {};
  private volatile boolean accepts = true;
  private KeyValueStore store;
  private CheckpointStore checkpoints;
  private CheckpointSaver saver;
  private Comparer comparer;
  private Tail tail;

  private final class Heard implements ProblemListener {
    @Override
    public void began(Problem problem) {
      heard.add(problem.message());
    }

    @Override
    public void ended(Problem problem) {}
  }

  /** The time that passes by itself, and that which reads are said to take. */
  private long nanos() {
    if (Thread.currentThread().getName().equals("compare")) {
      if (clockFails.getAndSet(false)) {
        throw new AssertionError("the clock is broken: says a test");
      }
      whenClockIsRead.run();
    }
    return System.nanoTime() + passedNanos.get();
  }

  private long nanosOfSchedule() {
    awaitedWhenScheduled.add(tail.content().awaitsComparison());
    whenScheduled.run();
    return nanos();
  }

  private FileCalls slowCalls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              boolean compares = Thread.currentThread().getName().equals("compare");
              if (method.getName().startsWith("pread") && compares) {
                reads.incrementAndGet();
                passedNanos.addAndGet(readTakesNanos);
                whenRead.run();
                if (isUnreadable && isOf(file, (int) arguments[0])) {
                  throw ErrnoException.of("pread", "fd " + arguments[0], Errno.EIO);
                }
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void create(@TempDir Path base) throws Exception {
    FileCalls calls = slowCalls();
    new Random(1).nextBytes(content);
    file = Files.write(base.toRealPath().resolve("data"), content);
    tail = TestTails.open(file, calls, queue);
    store =
        TransactionLogStore.open(
            real, PosixPath.of(base.resolve("state")), StoreOptions.defaults());
    checkpoints = new CheckpointStore(store, store, "memory:/");
    saver = new CheckpointSaver(checkpoints, problems);
    DueQueue due = new DueQueue(new DuePolicy(1, 1), this::nanosOfSchedule);
    Neighbour neighbour =
        new Neighbour(
            NeighbourSettings.STANDARD, NeighbourEnvironment.system(), this::nanos, tempo);
    comparer =
        new Comparer(
            calls,
            queue,
            List.of(new Comparer.ComparedLane(due, _ -> accepts, saver, _ -> {})),
            problems,
            tempo,
            new Clocks(this::nanos, System::currentTimeMillis),
            neighbour);
  }

  @AfterEach
  void close() throws Exception {
    comparer.close();
    assertTrue(comparer.awaitEnd(Deadline.after(Duration.ofSeconds(20))));
    tail.file().giveUpDescriptor();
    saver.end();
    store.close();
  }

  /** All of the file is delivered; its checksums are known, or not. */
  private void deliver(boolean remembered) throws Exception {
    deliver(remembered, FILE_BYTES);
  }

  private void deliver(boolean remembered, int durableBytes) throws Exception {
    var _ = TailLook.refresh(tail, nanos() - LONG_AGO_NANOS, 0); // Its last change is not long ago.
    if (remembered) {
      BlockRun read = new BlockRun(0);
      read.add(content, 0, FILE_BYTES);
      tail.advance(FILE_BYTES, Marker.NONE, read, false, nanos());
    } else {
      tail.resumeAt(FILE_BYTES, Marker.NONE);
    }
    tail.stream().acknowledge(new ByteRange(0, durableBytes), Marker.NONE);
  }

  private static void await(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "waited a minute in vain");
      Thread.sleep(2);
    }
  }

  @Test
  void readingTakesATenthOfTheTimeAtMost() throws Exception {
    readTakesNanos = TimeUnit.MILLISECONDS.toNanos(2);
    deliver(true);
    long startNanos = nanos();
    tail.requestComparison();
    comparer.start();
    await(tail.content()::isCompared);
    long tookNanos = nanos() - startNanos;
    long readNanos = reads.get() * readTakesNanos;
    assertTrue(readNanos >= TimeUnit.MILLISECONDS.toNanos(12), "read for " + readNanos);
    // Rests of less than five milliseconds are added up.
    long leastNanos = 10 * readNanos - TimeUnit.MILLISECONDS.toNanos(5);
    assertTrue(tookNanos >= leastNanos, readNanos + " of " + tookNanos);
  }

  /** What is being delivered may be replaced meanwhile, and a part that is compared is not all. */
  @Test
  void aFileOfWhichOnlyAPartIsDurableIsComparedOnceMore() throws Exception {
    deliver(true, MIB);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(3 * MIB);
      open.write(content[3 * MIB] + 1);
    }
    var _ = TailLook.refresh(tail, nanos() - LONG_AGO_NANOS, 0);
    passedNanos.addAndGet(LONG_AGO_NANOS);
    comparer.start();
    await(() -> reads.get() > 0);
    tail.stream().acknowledge(new ByteRange(MIB, FILE_BYTES), Marker.NONE);
    await(
        () -> {
          passUnlessItReads(TimeUnit.MILLISECONDS.toNanos(ComparisonSchedule.WRITTEN_BACK_MILLIS));
          return tail.work().hasRewritten();
        });
  }

  @Test
  void aDrainHasThePartComparedThatItWaitsFor() throws Exception {
    deliver(true, 4 * MIB);
    write((byte) (content[3 * MIB] + 1));
    comparePart();
    assertTrue(tail.content().awaitsComparison(), "not all of it is compared");
    assertEquals(List.of(new ByteRange(3 * MIB, 3 * MIB + BlockSums.BLOCK_BYTES)), revising());
  }

  @Test
  void aDrainHasThePartComparedWithTheArchiveThatHasNoMore() throws Exception {
    deliver(false, 4 * MIB);
    write((byte) (content[3 * MIB] + 1));
    tail.stream()
        .archiveStates(
            new ArchivedContent(
                List.of(stated(0, 2 * MIB), stated(2 * MIB, 4 * MIB)),
                List.of(new ByteRange(0, 4 * MIB)),
                OptionalLong.empty()));
    tail.uncompared();
    comparePart();
    assertEquals(List.of(new ByteRange(2 * MIB, 4 * MIB)), revising());
    assertTrue(tail.stream().blocks().knows(0));
    assertTrue(tail.stream().archived().isEmpty());
  }

  private void compareWithArchiveThatStatesTheFirstPart() throws Exception {
    deliver(false);
    tail.stream()
        .archiveStates(
            new ArchivedContent(
                List.of(stated(0, 2 * MIB)),
                List.of(new ByteRange(0, FILE_BYTES)),
                OptionalLong.empty()));
    tail.uncompared();
    comparer.want(tail);
    await(() -> tail.content().isCompared());
  }

  @Test
  void allFilesCountOfWhichTheArchiveStatesNotAll() throws Exception {
    comparer.start();
    compareWithArchiveThatStatesTheFirstPart();
    String one = problems.open().getFirst().message();
    assertTrue(one.startsWith(4 * MIB + " bytes of " + file + " cannot be compared"), one);
    Tail first = tail;
    Path other = Files.write(file.resolveSibling("other"), content);
    tail = TestTails.open(other, slowCalls(), queue);
    try {
      compareWithArchiveThatStatesTheFirstPart();
    } finally {
      tail.file().giveUpDescriptor();
      tail = first;
    }
    String both = problems.open().getFirst().message();
    assertTrue(both.startsWith(8 * MIB + " bytes of 2 files, the last of which is " + other), both);
  }

  private ArchivedContent.Stated stated(int fromBytes, int toBytes) {
    CRC32C sum = new CRC32C();
    sum.update(content, fromBytes, toBytes - fromBytes);
    return new ArchivedContent.Stated(
        new ByteRange(fromBytes, toBytes), crc -> crc == (int) sum.getValue());
  }

  private void comparePart() throws Exception {
    tempo.lease(Tempo.Mode.HURRY);
    var _ = TailLook.refresh(tail, nanos(), 0);
    ComparisonAim aim = new ComparisonAim(tail.stream(), tail.changes(), 4 * MIB);
    assertTrue(tail.content().awaitsComparison(aim));
    tail.requestComparison();
    queue.awaited(tail, aim.untilBytes());
    comparer.start();
    await(() -> !tail.content().awaitsComparison(aim));
  }

  private List<ByteRange> revising() {
    return tail.stream().blocks().revising();
  }

  /** What passes during a read is taken for the time of the read, and is rested for. */
  private void passUnlessItReads(long nanos) {
    long before = reads.get();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    if (reads.get() == before) {
      pass(nanos);
    }
  }

  /**
   * Whoever waits or rests looks at the clock again: it may have been during a read all the same.
   */
  private void pass(long nanos) {
    passedNanos.addAndGet(nanos);
    synchronized (queue) {
      queue.notifyAll();
    }
  }

  /** The checkpoint that is saved then needs no checksum of a shorter block. */
  @Test
  void whatIsAppendedAndSavedMeanwhileDoesNotMakeTheLastBlockAnotherOne() throws Exception {
    int beforeBytes = MIB + 100;
    int afterBytes = MIB + 300;
    var _ = TailLook.refresh(tail, nanos() - LONG_AGO_NANOS, 0);
    readAndAcknowledge(0, beforeBytes);
    AtomicBoolean differed = new AtomicBoolean();
    whenRead =
        () -> {
          differed.compareAndSet(false, tail.work().hasRewritten());
          if (tail.positionBytes() == beforeBytes) {
            readAndAcknowledge(beforeBytes, afterBytes);
            assertFalse(tail.stream().blocks().takeUnsaved(afterBytes).isEmpty());
          }
        };
    comparer.want(tail);
    comparer.start();
    await(tail.content()::isCompared);
    assertEquals(afterBytes, tail.positionBytes());
    assertFalse(differed.get() || tail.work().hasRewritten());
  }

  private void readAndAcknowledge(int fromBytes, int toBytes) {
    BlockRun read = new BlockRun(fromBytes);
    read.add(content, fromBytes, toBytes - fromBytes);
    tail.advance(toBytes, Marker.NONE, read, false, nanos());
    tail.stream().acknowledge(new ByteRange(fromBytes, toBytes), Marker.NONE);
  }

  private void write(byte there) throws Exception {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(3 * MIB);
      open.write(there);
    }
  }

  /** As a store through a mapping into a page that is dirty already: nobody looks after it. */
  @Test
  void whatIsStoredUnseenAfterAComparisonThatFoundNothingIsFoundAfterFortySeconds()
      throws Exception {
    deliver(true);
    write(content[3 * MIB]); // Sets the time only.
    var _ = TailLook.refresh(tail, nanos(), 0);
    assertTrue(tail.mayBeChanged());
    passedNanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    comparer.start();
    await(tail.content()::isCompared);
    assertFalse(tail.work().hasRewritten());
    write((byte) (content[3 * MIB] + 1));
    await(
        () -> {
          pass(TimeUnit.SECONDS.toNanos(1));
          return tail.work().hasRewritten();
        });
  }

  /** A drain that finds that nothing awaits a comparison must find in the queue what came of it. */
  @Test
  void whatDiffersIsScheduledBeforeTheComparisonCountsAsDone() throws Exception {
    deliver(true);
    write((byte) (content[3 * MIB] + 1));
    comparer.want(tail);
    comparer.start();
    await(() -> !tail.content().awaitsComparison());
    assertTrue(tail.work().hasRewritten());
    assertTrue(awaitedWhenScheduled.getFirst());
  }

  @Test
  void aFileIsSavedAsComparedThoughSomebodyElseSavesJustBefore() throws Exception {
    deliver(true);
    tail.uncompared();
    whenScheduled = () -> assertTrue(saver.note("something else", () -> {}));
    compareAndSave();
    assertFalse(saved().rewriting().uncompared());
  }

  private void compareAndSave() throws Exception {
    comparer.want(tail);
    comparer.start();
    await(() -> !tail.content().awaitsComparison());
    endAndSave();
  }

  private void endAndSave() throws Exception {
    comparer.close();
    assertTrue(comparer.awaitEnd(Deadline.after(Duration.ofSeconds(20))));
    assertTrue(saver.end());
  }

  private Checkpoint saved() throws IOException {
    List<Checkpoint> row = checkpoints.files().find(tail.file().identity());
    assertEquals(1, row.size(), row.toString());
    return row.getFirst();
  }

  /** Whoever finds that a file is compared may end its stream and forget it. */
  @Test
  void aStreamThatHasEndedMeanwhileIsNotSavedAnyMore() throws Exception {
    deliver(true);
    tail.uncompared();
    whenScheduled = tail::end;
    compareAndSave();
    assertEquals(List.of(), checkpoints.files().find(tail.file().identity()));
  }

  @Test
  void aFileAtAnotherStreamIsScheduledBeforeTheComparisonCountsAsFailed() throws Exception {
    deliver(true);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(7);
    }
    comparer.want(tail);
    comparer.start();
    await(() -> !tail.content().awaitsComparison());
    assertTrue(tail.isStreamInDoubt());
    assertTrue(awaitedWhenScheduled.getFirst());
  }

  @Test
  void aFileThatHasOnlyGrownIsNotReadOnceMore() throws Exception {
    deliver(true);
    tail.requestComparison();
    comparer.start();
    await(tail.content()::isCompared);
    long before = reads.get();
    for (int second = 0; second < 60; second++) {
      passedNanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      Thread.sleep(10);
    }
    assertEquals(before, reads.get());
  }

  /** With rests, it would take hours. */
  @Test
  void nobodyWhoAsksWaitsForRests() throws Exception {
    readTakesNanos = TimeUnit.MINUTES.toNanos(10);
    deliver(true);
    comparer.want(tail);
    comparer.start();
    await(tail.content()::isCompared);
    assertTrue(reads.get() >= FILE_BYTES / MIB);
  }

  @Test
  void aRestEndsWhenSomebodyAsks() throws Exception {
    readTakesNanos = TimeUnit.MINUTES.toNanos(10);
    deliver(true);
    tail.requestComparison();
    comparer.start();
    await(() -> reads.get() > 0);
    comparer.want(tail);
    await(tail.content()::isCompared);
  }

  @Test
  void leavesThePageCacheAsItWas() throws Exception {
    FileRange firstHalf = new FileRange(0, FILE_BYTES / 2);
    FileRange secondHalf = new FileRange(FILE_BYTES / 2, FILE_BYTES / 2);
    deliver(true);
    try (Descriptor open =
        Descriptor.openRegularFile(real, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of())) {
      PageCache cache = PageCache.of(open);
      cache.writeBackAndDrop(cache.wholeFile());
      assumeTrue(cache.residency(cache.wholeFile()).none(), "cannot evict here");
      real.fadvise(open.fd(), 0, 0, Advice.RANDOM); // Nothing is read ahead.
      byte[] some = new byte[ReadCalls.MAX_CRITICAL_BYTES];
      for (int at = 0; at < FILE_BYTES / 2; at += some.length) {
        real.preadCritical(open.fd(), some, 0, some.length, at);
      }
      assumeTrue(cache.residency(firstHalf).all(), "pages do not stay here");
      assumeTrue(cache.residency(secondHalf).none(), "cannot evict here");
      comparer.want(tail);
      comparer.start();
      await(tail.content()::isCompared);
      assertTrue(cache.residency(firstHalf).all(), "what others use stays");
      assertTrue(cache.residency(secondHalf).none(), "what nobody uses does not come in");
    }
  }

  @Test
  void checksumsThatAreLostAreLearntBeforeAnythingIsWritten() throws Exception {
    deliver(false);
    assertTrue(tail.hasUnknown());
    tail.requestComparison();
    comparer.start();
    await(() -> !tail.hasUnknown());
    assertEquals(BlockSums.Sameness.SAME, compareFirstBlock());
    content[7]++;
    assertEquals(BlockSums.Sameness.DIFFERENT, compareFirstBlock());
    assertFalse(tail.work().hasRewritten());
  }

  @Test
  void aChangeThatIsFoundWhileChecksumsAreLearntIsSavedThoughSomebodyElseSavesToo()
      throws Exception {
    deliverWithoutChecksums();
    accepts = false;
    write((byte) (content[3 * MIB] + 1));
    tail.requestComparison(); // As of the look before.
    readTakesNanos = TimeUnit.MILLISECONDS.toNanos(10); // So that the time is remembered.
    whenClockIsRead =
        () -> {
          if (!saver.isSaved(tail.stream())) {
            assertTrue(saver.note("something else", () -> {}));
          }
        };
    comparer.start();
    await(() -> tail.stream().isChangedInPlace());
    endAndSave();
    assertTrue(saved().changedInPlace());
  }

  /** What is learnt of it next is its checksums: it has grown just now, and is not compared yet. */
  private void deliverWithoutChecksums() throws Exception {
    var _ = TailLook.refresh(tail, nanos(), 0);
    tail.resumeAt(FILE_BYTES, Marker.NONE);
    tail.stream().acknowledge(new ByteRange(0, FILE_BYTES), Marker.NONE);
  }

  @Test
  void aStreamThatEndsWhileItsChecksumsAreLearntIsNotSavedAnyMore() throws Exception {
    deliverWithoutChecksums();
    tail.requestComparison();
    whenRead = tail::end;
    comparer.start();
    await(() -> tail.stream().blocks().knows(BlockSums.blockOf(FILE_BYTES - 1)));
    endAndSave();
    assertEquals(List.of(), checkpoints.files().find(tail.file().identity()));
  }

  @Test
  void anErrorWhileItLooksForAFileIsReportedAndTheThreadGoesOn() throws Exception {
    deliver(true);
    tail.requestComparison();
    clockFails.set(true);
    comparer.start();
    await(tail.content()::isCompared);
    assertEquals(
        List.of(
            "finding files to compare has failed:"
                + " java.lang.AssertionError: the clock is broken: says a test"),
        heard);
    await(() -> problems.open().isEmpty());
  }

  private BlockSums.Sameness compareFirstBlock() {
    long sum = BlockRun.sumOf(content, 0, BlockSums.BLOCK_BYTES);
    return tail.stream().blocks().compare(0, sum, BlockSums.BLOCK_BYTES);
  }

  /** A drain has no time for it. */
  @Test
  void nothingIsOnlyLearntInAHurry() throws Exception {
    deliver(false);
    long changes = tail.changes();
    tail.compared(tail.stream(), changes, false, _ -> {});
    assertTrue(tail.content().isCompared() && tail.hasUnknown());
    tail.requestComparison();
    Tempo.Lease drain = tempo.lease(Tempo.Mode.HURRY);
    Path other = Files.writeString(file.resolveSibling("other"), "text\n");
    Tail uncompared = TestTails.open(other, real, queue);
    queue.changed(uncompared);
    assertEquals(uncompared, queue.take().orElseThrow().tail());
    drain.close();
    uncompared.file().giveUpDescriptor();
  }

  private static boolean isOf(Path file, int fd) throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).equals(file);
  }

  /** Compares another file, with success, after the first one could not be compared. */
  private void compareAnotherAfterAFailure() throws Exception {
    readTakesNanos = TimeUnit.MILLISECONDS.toNanos(100); // As on a busy machine.
    isUnreadable = true;
    deliver(true);
    Path other = Files.write(file.resolveSibling("other"), content);
    Tail readable = TestTails.open(other, slowCalls(), queue);
    Tail unreadable = tail;
    tail = readable;
    deliver(true);
    tail = unreadable;
    comparer.want(unreadable);
    comparer.start();
    await(() -> !problems.open().isEmpty());
    comparer.want(readable);
    await(readable.content()::isCompared);
    comparer.want(readable); // Nothing of the comparison before is under way.
    await(
        () -> {
          passedNanos.addAndGet(LONG_AGO_NANOS); // What it took is not remembered for so long.
          return !queue.needs(readable);
        });
    readable.end();
    readable.file().giveUpDescriptor();
  }

  @Test
  void theProblemOfAFileThatCannotBeComparedEndsWhenItIsAndNotWhenAnotherOneIs() throws Exception {
    compareAnotherAfterAFailure();
    assertTrue(problems.open().getFirst().message().startsWith(file + " cannot be compared"));
    isUnreadable = false;
    comparer.want(tail);
    await(() -> problems.open().isEmpty());
  }

  /** Whoever opens files again that were closed asks which of them lack a comparison. */
  @Test
  void aFileThatWasComparedLacksAComparisonWhenTheNextOneHasFailed() throws Exception {
    deliver(true);
    comparer.start();
    comparer.want(tail);
    await(() -> tail.content().isCompared());
    isUnreadable = true;
    comparer.want(tail);
    await(() -> !problems.open().isEmpty());
    assertTrue(tail.content().lacksComparison());
    assertFalse(tail.content().awaitsComparison());
    isUnreadable = false;
    comparer.want(tail);
    await(() -> problems.open().isEmpty());
    assertFalse(tail.content().lacksComparison());
  }

  /** The next start is to compare it: what was stored without a sign leaves its time as it was. */
  @Test
  void aFileThatWasComparedIsSavedAsUncomparedWhenTheNextComparisonHasFailed() throws Exception {
    deliver(true);
    tail.uncompared();
    comparer.start();
    comparer.want(tail);
    await(() -> tail.content().isCompared());
    saver.save(tail.stream());
    assertFalse(saved().rewriting().uncompared());
    isUnreadable = true;
    comparer.want(tail);
    await(() -> !problems.open().isEmpty());
    endAndSave();
    assertTrue(saved().rewriting().uncompared());
  }

  @Test
  void theProblemOfAFileThatCannotBeComparedEndsWhenItIsGone() throws Exception {
    compareAnotherAfterAFailure();
    assertFalse(problems.open().isEmpty());
    tail.end();
    await(() -> problems.open().isEmpty());
  }
}
