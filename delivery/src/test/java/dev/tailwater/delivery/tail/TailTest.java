package dev.tailwater.delivery.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at a file of which another comes in between. */
class TailTest {
  private static final long NOW_MILLIS = 1_700_000_000_000L;

  /** So many that another thread saves a checkpoint within some of the looks at them. */
  private static final int WRITES = 20_000;

  private final List<Tail> askedFor = new ArrayList<>();

  private final Comparisons comparisons =
      new Comparisons() {
        @Override
        public boolean compares() {
          return true;
        }

        @Override
        public void grown(Tail tail) {
          askedFor.add(tail);
        }

        @Override
        public void changed(Tail tail) {
          askedFor.add(tail);
        }

        @Override
        public void want(Tail tail) {
          askedFor.add(tail);
        }

        @Override
        public void ended(Tail tail) {}
      };

  private static final FileCalls REAL_CALLS = LinuxFileCalls.create();

  /** What happens after the file's size was read and before anybody knows it. */
  private final AtomicReference<Meanwhile> meanwhile = new AtomicReference<>(() -> {});

  private final AtomicInteger suspicions = new AtomicInteger();
  private final SuspectedFiles suspects = new SuspectedFiles(suspicions::incrementAndGet);
  private Path file;
  private Tail tail;

  @FunctionalInterface
  private interface Meanwhile {
    void happen() throws Exception;
  }

  private FileCalls calls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              Object result = method.invoke(REAL_CALLS, arguments);
              if (method.getName().equals("fstat")) {
                meanwhile.getAndSet(() -> {}).happen();
              }
              return result;
            });
  }

  @BeforeEach
  void openTail(@TempDir Path base) throws Exception {
    file = Files.writeString(base.toRealPath().resolve("app.log"), "one\n");
    PosixPath path = PosixPath.of(file);
    TailOpener.Opened opened = new TailOpener(calls(), false, List.of()).open(path).orElseThrow();
    StreamProgress stream =
        StreamProgress.begin(
            "agent", opened.identity(), StreamId.of("agent", opened.identity(), 0), path, 0);
    tail =
        new Tail(
            new WatchedFile(
                opened.descriptor(), path, opened.identity(), ArchivedNames.OWN, suspects::add),
            0,
            stream,
            true,
            true);
    look();
  }

  @AfterEach
  void closeTail() throws Exception {
    tail.file().giveUpDescriptor();
  }

  private void look() throws Exception {
    var _ = TailLook.refresh(tail, 0, 0);
  }

  private FileStatus status() throws Exception {
    try (SharedDescriptor.Lease open = tail.file().lease().orElseThrow()) {
      return REAL_CALLS.fstat(open.fd());
    }
  }

  private void append() throws Exception {
    Files.writeString(file, "more\n", StandardOpenOption.APPEND);
  }

  private Tail comparedTail() throws Exception {
    return comparedTail(true);
  }

  private Tail comparedTail(boolean resumed) throws Exception {
    PosixPath path = PosixPath.of(file);
    TailOpener.Opened opened = new TailOpener(calls(), false, List.of()).open(path).orElseThrow();
    StreamProgress stream =
        StreamProgress.begin(
            "agent", opened.identity(), StreamId.of("agent", opened.identity(), 0), path, 0);
    WatchedFile watched =
        new WatchedFile(
            Optional.of(opened.descriptor()),
            path,
            OptionalLong.empty(),
            opened.identity(),
            ArchivedNames.OWN,
            OwnerNames.idsOnly(),
            suspects::add,
            comparisons,
            () -> 1);
    return new Tail(watched, 0, stream, resumed, true);
  }

  private void modifiedAgo(long millis) throws Exception {
    Files.setLastModifiedTime(file, FileTime.fromMillis(NOW_MILLIS - millis));
  }

  private static void readAll(Tail read) throws Exception {
    FileStatus status = TailLook.refreshForReading(read, 0, NOW_MILLIS).orElseThrow();
    read.advance(status.sizeBytes(), Marker.NONE, new BlockRun(0), false, 0);
  }

  @Test
  void whatIsReadLongAfterTheLastChangeNeedsNoComparison() throws Exception {
    Tail old = comparedTail();
    modifiedAgo(5_000);
    var _ = TailLook.refresh(old, 0, NOW_MILLIS);
    readAll(old);
    var _ = TailLook.refresh(old, 0, NOW_MILLIS);
    assertTrue(old.content().isCompared());
    modifiedAgo(1_000);
    var _ = TailLook.refresh(old, 0, NOW_MILLIS);
    assertFalse(old.content().isCompared());
    old.file().giveUpDescriptor();
  }

  @Test
  void whatIsReadRightAfterAChangeIsCompared() throws Exception {
    Tail young = comparedTail();
    modifiedAgo(1_000);
    readAll(young);
    var _ = TailLook.refresh(young, 0, NOW_MILLIS + 60_000);
    assertFalse(young.content().isCompared());
    young.file().giveUpDescriptor();
  }

  @Test
  void whatWasReadSinceTheLastLookIsComparedForWhoeverWaits() throws Exception {
    Tail young = comparedTail();
    modifiedAgo(1_000);
    readAll(young); // The look found it unread, so it asked for nothing.
    assertEquals(List.of(), askedFor);
    assertTrue(young.content().awaitsComparison());
    young.requestComparison();
    assertEquals(List.of(young), askedFor);
    young.file().giveUpDescriptor();
  }

  @Test
  void aChangeBetweenReadingAndHandingOverIsCompared() throws Exception {
    Tail old = comparedTail();
    modifiedAgo(60_000);
    var _ = TailLook.refreshForReading(old, 0, NOW_MILLIS);
    modifiedAgo(10_000);
    var _ = TailLook.refresh(old, 0, NOW_MILLIS);
    old.advance(4, Marker.NONE, new BlockRun(0), false, 0);
    assertFalse(old.content().isCompared());
    old.file().giveUpDescriptor();
  }

  /** The checksums are lost, so the file is taken for what was delivered: as it was seen first. */
  @Test
  void aWriteBetweenTheFirstLookAndTheResumptionMayHaveReplacedBytes() throws Exception {
    Tail found = rediscoveredTail();
    overwrite();
    var _ = TailLook.refresh(found, 0, NOW_MILLIS);
    append();
    FileStatus status = TailLook.refreshForReading(found, 0, NOW_MILLIS).orElseThrow();
    found.resumeAt(4, Marker.NONE);
    assertTrue(found.mayBeChanged(status));
    assertTrue(found.stream().checkpoint().rewriting().suspected(), "the next start knows it");
    found.file().giveUpDescriptor();
  }

  @Test
  void anAppendBetweenTheFirstLookAndTheResumptionReplacedNothing() throws Exception {
    Tail found = rediscoveredTail();
    append();
    FileStatus status = TailLook.refreshForReading(found, 0, NOW_MILLIS).orElseThrow();
    found.resumeAt(4, Marker.NONE);
    assertFalse(found.mayBeChanged(status));
    found.file().giveUpDescriptor();
  }

  @Test
  void whatTurnsOutToBeNewWasNotReplaced() throws Exception {
    Tail found = rediscoveredTail();
    overwrite();
    FileStatus status = TailLook.refreshForReading(found, 0, NOW_MILLIS).orElseThrow();
    found.resumeAt(0, Marker.NONE);
    assertFalse(found.mayBeChanged(status));
    found.file().giveUpDescriptor();
  }

  @Test
  void aWriteInPlaceBeforeAnAppendMayHaveReplacedBytesOfWhichTheChecksumsAreLost()
      throws Exception {
    Tail found = rediscoveredTail();
    found.stream().acknowledge(new ByteRange(0, 4), Marker.NONE);
    found.resumeAt(4, Marker.NONE);
    overwrite();
    var _ = TailLook.refresh(found, 0, NOW_MILLIS);
    append();
    FileStatus status = TailLook.refresh(found, 1, NOW_MILLIS).orElseThrow();
    assertTrue(found.mayBeChanged(status));
    found.file().giveUpDescriptor();
  }

  @Test
  void anAppendThatIsMetHalfwayIsLookedAtOnceMoreWhereChecksumsAreLost() throws Exception {
    Tail found = rediscoveredTail();
    overwrite(); // An append sets the time first.
    meanwhile.set(
        () -> {
          FileTime first = Files.getLastModifiedTime(file);
          append();
          Files.setLastModifiedTime(file, first);
        });
    FileStatus status = TailLook.refresh(found, 0, NOW_MILLIS).orElseThrow();
    assertFalse(found.mayBeChanged(status));
    found.file().giveUpDescriptor();
  }

  /** Returns a tail that was looked at once, of a file of which something may be delivered. */
  private Tail rediscoveredTail() throws Exception {
    Tail found = comparedTail(false);
    var _ = TailLook.refresh(found, 0, NOW_MILLIS);
    return found;
  }

  private void overwrite() throws Exception {
    FileTime before = Files.getLastModifiedTime(file);
    Files.writeString(file, "two\n", StandardOpenOption.WRITE);
    Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1));
  }

  /** Returns a tail of which all is delivered and compared, with the time that the file has. */
  private Tail deliveredTail() throws Exception {
    Tail delivered = comparedTail();
    modifiedAgo(60_000);
    readAll(delivered);
    delivered.stream().acknowledge(new ByteRange(0, 4), Marker.NONE);
    delivered.stream().statesTime(status().modificationTimeNanos(), NOW_MILLIS);
    var _ = TailLook.refresh(delivered, 0, NOW_MILLIS);
    delivered.compared(delivered.stream(), delivered.changes(), false, _ -> {});
    assertTrue(delivered.content().isCompared());
    return delivered;
  }

  /** A worker finds the bytes before the position unchanged. */
  private static void goesOn(Tail read) {
    read.readingBegins();
    read.confirm(4);
    assertFalse(read.isStreamInDoubt());
  }

  @Test
  void aTimeIsToldWhenTheFileIsComparedAndNotBefore() throws Exception {
    Tail touched = deliveredTail();
    modifiedAgo(5_000);
    var _ = TailLook.refresh(touched, 1, NOW_MILLIS);
    assertFalse(touched.stream().isTimeTold());
    assertFalse(touched.stream().isUndescribed());
    goesOn(touched);
    touched.tellTimeBeforeCompared(touched.stream(), touched.changes(), 1);
    assertTrue(touched.stream().isTimeTold());
    assertTrue(touched.stream().isUndescribed());
    touched.file().giveUpDescriptor();
  }

  @Test
  void aTimeIsNotToldWhereTheFileWasWrittenToWhileItWasCompared() throws Exception {
    Tail touched = deliveredTail();
    modifiedAgo(5_000);
    var _ = TailLook.refresh(touched, 1, NOW_MILLIS);
    long changes = touched.changes();
    modifiedAgo(4_000);
    var _ = TailLook.refresh(touched, 1, NOW_MILLIS);
    goesOn(touched);
    touched.tellTimeBeforeCompared(touched.stream(), changes, 1);
    assertFalse(touched.stream().isUndescribed());
    touched.file().giveUpDescriptor();
  }

  @Test
  void theTimeOfAnAppendThatIsMetHalfwayIsLeftToItsBytes() throws Exception {
    Tail grown = deliveredTail();
    overwrite(); // An append sets the time first.
    var _ = TailLook.refresh(grown, 1, NOW_MILLIS);
    append();
    var _ = TailLook.refresh(grown, 1, NOW_MILLIS);
    goesOn(grown);
    grown.tellTimeBeforeCompared(grown.stream(), grown.changes(), 1);
    grown.tellTime(1, true);
    assertFalse(grown.stream().isUndescribed());
    grown.file().giveUpDescriptor();
  }

  @Test
  void aSizeThatAnotherLookHasOvertakenIsNotTakenForATruncation() throws Exception {
    meanwhile.set(
        () -> {
          append();
          look();
        });
    look();
    assertFalse(tail.isShrunk());
    assertEquals(9, tail.observedBytes());
  }

  @Test
  void aSizeThatReadingHasOvertakenIsNotTakenForATruncation() throws Exception {
    meanwhile.set(
        () -> {
          append();
          tail.advance(9, Marker.NONE, new BlockRun(0), false, 0);
        });
    look();
    assertFalse(tail.isShrunk());
    assertEquals(9, tail.observedBytes());
  }

  @Test
  void aSizeOfTheStreamBeforeIsNotTakenForOneOfTheNext() throws Exception {
    meanwhile.set(
        () -> {
          Files.writeString(file, "n\n");
          StreamProgress old = tail.stream();
          StreamProgress next =
              StreamProgress.begin(
                  "agent", old.identity(), old.id().withEpoch(1), PosixPath.of(file), 0);
          FileStatus seen = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
          tail.beginStream(next, seen, true, 0);
        });
    look();
    assertFalse(tail.isShrunk());
    assertEquals(2, tail.observedBytes());
  }

  @Test
  void theSizeThatWasSeenWhileTheNextStreamWasSavedIsTheNextStreams() throws Exception {
    look();
    Files.writeString(file, "n\n");
    FileStatus seen = TailLook.refreshForNextStream(tail, 0, 0).orElseThrow();
    Files.writeString(file, "longer than all before\n");
    look();
    Files.writeString(file, "x\n");
    StreamProgress old = tail.stream();
    StreamProgress next =
        StreamProgress.begin("agent", old.identity(), old.id().withEpoch(1), PosixPath.of(file), 0);
    tail.beginStream(next, seen, true, 0);
    assertEquals(23, tail.observedBytes());
    look();
    assertTrue(tail.isShrunk());
    assertEquals(23, tail.sizeBeforeTruncationBytes());
  }

  @Test
  void aWriteThatAnotherDestinationHasReadIsTakenForNoLaterOne() throws Exception {
    append();
    assertTrue(
        tail.follow(tail.position(), 9, Marker.NONE, new BlockRun(0), status(), 0).isPresent());
    assertTrue(tail.content().isUnchangedSince(status()));
    look();
    assertFalse(tail.content().isSuspectedOfChange());
    assertEquals(0, suspicions.get());
  }

  /** The comparison may vouch for a change that came between that reading and its begin. */
  @Test
  void doesNotMoveOverWhatAnotherDestinationHasReadBeforeAComparisonBegan() throws Exception {
    append();
    tail.beginComparison(OptionalLong.of(tail.readings()), 5).close();
    assertTrue(
        tail.follow(tail.position(), 9, Marker.NONE, new BlockRun(0), status(), 5).isEmpty());
    assertTrue(
        tail.follow(tail.position(), 9, Marker.NONE, new BlockRun(0), status(), 6).isPresent());
  }

  @Test
  void whatWasSeenOfAFileIsKnownWhenItsStreamTurnsOutToBeNew() throws Exception {
    tail.identify(tail.stream(), true);
    assertTrue(tail.content().isUnchangedSince(status()));
  }

  /** As when the destination of a lost state answers late. */
  @Test
  void theOldestByteAtRiskIsNoneThatALateDestinationHas() throws Exception {
    assertEquals(OptionalLong.of(0), tail.work().unreadSinceNanos());
    tail.stream().acknowledge(new ByteRange(0, 4), Marker.NONE);
    tail.identify(tail.stream(), false);
    assertEquals(OptionalLong.empty(), tail.work().unreadSinceNanos());
    append();
    var _ = TailLook.refresh(tail, 7, 0);
    tail.resumeAt(4, Marker.NONE);
    assertEquals(5, tail.work().unreadBytes());
    assertEquals(OptionalLong.of(7), tail.work().unreadSinceNanos());
  }

  @Test
  void aLookThatCannotTellIfTheFileWasChangedAsksForAnother() throws Exception {
    tail.advance(4, Marker.NONE, new BlockRun(0), false, 0);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    look();
    assertTrue(tail.content().isSuspectedOfChange());
    assertEquals(1, suspicions.get());
    look();
    assertEquals(1, suspicions.get());
    assertEquals(List.of(tail.file()), suspects.takeAll());
    assertTrue(suspects.isEmpty());
    look();
    assertEquals(2, suspicions.get());
  }

  @Test
  void noSaveMissesThatAFileIsToBeComparedOnceMore() throws Exception {
    Tail delivered = deliveredTail();
    List<Boolean> lacksOneWhenSaved = new ArrayList<>();
    delivered.comparedBeforeWriteBack(
        delivered.stream(),
        delivered.changes(),
        false,
        saved -> lacksOneWhenSaved.add(saved.isUncompared()));
    assertEquals(List.of(true), lacksOneWhenSaved);
    assertTrue(delivered.content().isCompared());
    delivered.file().giveUpDescriptor();
  }

  @Test
  void noCheckpointHidesAWriteBehindItsTime() throws Exception {
    Tail written = comparedTail();
    modifiedAgo(0);
    readAll(written);
    written.compared(written.stream(), written.changes(), false, _ -> {});
    AtomicLong comparedNanos = new AtomicLong(TimeUnit.MILLISECONDS.toNanos(NOW_MILLIS));
    AtomicBoolean hidden = new AtomicBoolean();
    AtomicBoolean done = new AtomicBoolean();
    Thread saver =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    Checkpoint saved = written.stream().checkpoint();
                    if (!saved.rewriting().uncompared()
                        && saved.seen().modificationTimeNanos() > comparedNanos.get()) {
                      hidden.set(true);
                    }
                  }
                });
    for (int write = 1; write <= WRITES; write++) {
      modifiedAgo(-write);
      var _ = TailLook.refresh(written, 0, NOW_MILLIS);
      comparedNanos.set(TimeUnit.MILLISECONDS.toNanos(NOW_MILLIS + write));
      written.compared(written.stream(), written.changes(), false, _ -> {});
    }
    done.set(true);
    saver.join();
    written.file().giveUpDescriptor();
    assertFalse(hidden.get());
  }

  @Test
  void nothingIsCalledDurableOfAFileThatGrowsMeanwhile() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong mostDurableBytes = new AtomicLong();
    Thread asking =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    mostDurableBytes.accumulateAndGet(
                        tail.work().atRisk().durableBytes(), Math::max);
                  }
                });
    try (FileChannel growing = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int write = 1; write <= WRITES; write++) {
        growing.write(ByteBuffer.wrap(new byte[] {'x'}), 10L * write);
        look();
      }
    }
    done.set(true);
    asking.join();
    assertEquals(0, mostDurableBytes.get());
    assertEquals(10L * WRITES + 1, tail.work().atRisk().sizeBytes());
  }
}
