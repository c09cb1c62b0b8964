package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file is truncated and written again while the agent reads it. */
class TruncationRaceTest {
  private Optional<Hold> next = Optional.empty();

  private TestAgent.Place place;
  private Path log;

  /** A call at which the agent and the test wait for each other. */
  private record Hold(Predicate<Method> call, CountDownLatch reached, CountDownLatch released) {
    static Hold of(Predicate<Method> call) {
      return new Hold(call, new CountDownLatch(1), new CountDownLatch(1));
    }
  }

  @BeforeEach
  void makePlace(@TempDir Path base) throws Exception {
    place = new TestAgent.Place(base.toRealPath());
    log = Files.createFile(place.log("app.log"));
  }

  private FileCalls calls() {
    return InterceptedCalls.of(
        TestAgent.REAL_CALLS,
        called -> {
          Optional<Hold> hold = take(called);
          if (hold.isPresent()) {
            hold.get().reached().countDown();
            hold.get().released().await();
          }
        });
  }

  private synchronized void setNext(Hold hold) {
    next = Optional.of(hold);
  }

  private synchronized Optional<Hold> take(Method called) {
    Optional<Hold> due = next.filter(hold -> hold.call().test(called));
    if (due.isPresent()) {
      next = Optional.empty();
    }
    return due;
  }

  /** A worker that saves syncs for itself, or the committer of the store does. */
  private static boolean isSyncOfTheState(Method called) {
    String thread = Thread.currentThread().getName();
    return called.getName().equals("fdatasync")
        && (thread.startsWith("seal-") || thread.equals("tailwater-store-committer"));
  }

  private static boolean isLookOfAWorker(Method called) {
    return called.getName().equals("fstat") && Thread.currentThread().getName().startsWith("seal-");
  }

  private void rewrite(char letter, int count) throws IOException {
    Files.writeString(
        log, String.valueOf(letter).repeat(count), StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Writes the file again, and once more when the agent has reached such a call. */
  private void rewriteTwice(Predicate<Method> call, int firstBytes, int secondBytes)
      throws Exception {
    Hold look = Hold.of(TruncationRaceTest::isLookOfAWorker);
    setNext(look);
    rewrite('B', firstBytes); // Not in one piece, so nobody looks before it is there.
    look.reached().await();
    Hold hold = Hold.of(call);
    setNext(hold);
    look.released().countDown();
    hold.reached().await();
    rewrite('C', secondBytes);
    hold.released().countDown();
  }

  private void writeAtOnce(String text, long offsetBytes) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      assertEquals(bytes.length, channel.write(ByteBuffer.wrap(bytes), offsetBytes));
    }
  }

  private List<String> streams() throws Exception {
    List<ArchiveContents.StreamContents> streams = place.contents().streams();
    streams.forEach(stream -> assertFalse(stream.holdsBytesTwice(), stream.toString()));
    return streams.stream()
        .map(stream -> new String(stream.prefix(), StandardCharsets.US_ASCII))
        .toList();
  }

  private List<ByteRange> gaps(int stream) throws Exception {
    return place.contents().streams().get(stream).gaps().stream().map(GapRecord::range).toList();
  }

  @Test
  void aTruncationWhileATruncationIsSavedIsNotTakenForGrowthAndShrinkage() throws Exception {
    rewrite('A', 1000);
    try (TestAgent agent = TestAgent.start(place, place.config(), calls())) {
      agent.awaitDelivered(log);
      rewriteTwice(TruncationRaceTest::isSyncOfTheState, 800, 300);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("A".repeat(1000), "", "C".repeat(300)), streams());
    assertEquals(List.of(new ByteRange(0, 800)), gaps(1));
    assertEquals(List.of(), gaps(2));
  }

  @Test
  void aShortReadThatRevealsATruncationIsNotHandedOver() throws Exception {
    try (TestAgent agent = TestAgent.start(place, place.config(), calls())) {
      agent.awaitDelivered(log);
      rewriteTwice(InterceptedCalls::isReadOfAWorker, 800, 300);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("", "C".repeat(300)), streams());
    assertEquals(List.of(new ByteRange(0, 800)), gaps(0));
    assertEquals(List.of(), gaps(1));
  }

  @Test
  void aWholeBlockOfAFileThatIsShorterNowIsNotHandedOver() throws Exception {
    int blockBytes = 1 << 20;
    try (TestAgent agent = TestAgent.start(place, place.config(), calls())) {
      agent.awaitDelivered(log);
      rewriteTwice(InterceptedCalls::isReadOfAWorker, 4 * blockBytes, 2 * blockBytes);
      assertTrue(agent.drain().isComplete());
    }
    assertEquals(List.of("", "C".repeat(2 * blockBytes)), streams());
    assertEquals(List.of(new ByteRange(0, 4L * blockBytes)), gaps(0));
  }

  /** As PostgreSQL does: a file is filled with zeros, and at once written to from its beginning. */
  @ParameterizedTest
  @CsvSource({"1000, 1", "1000, 2", "8000, 1", "8000, 2", "8000, 3"})
  void whatIsOverwrittenWhileItsEndIsReadIsNoGapIfTheFileKeepsItsSize(int newBytes, int read)
      throws Exception {
    try (TestAgent agent = TestAgent.start(place, place.config(), calls())) {
      rewrite('A', 3000);
      agent.awaitDelivered(log);
      AtomicInteger reads = new AtomicInteger();
      Hold hold =
          Hold.of(
              called ->
                  InterceptedCalls.isReadOfAWorker(called) && reads.incrementAndGet() == read);
      setNext(hold);
      writeAtOnce("A".repeat(newBytes), 3000);
      hold.reached().await();
      writeAtOnce("B".repeat(3000 + newBytes), 0);
      hold.released().countDown();
      assertTrue(agent.drain().isComplete());
    }
    assertEquals("B".repeat(3000 + newBytes), streams().getLast());
    for (int stream = 0; stream < streams().size(); stream++) {
      assertEquals(List.of(), gaps(stream));
    }
  }
}
