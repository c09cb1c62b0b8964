package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.io.Marker;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bound on the bytes at risk, and tails that would be due in an hour. Files are sparse. */
class PressedQueueTest {
  private static final long SEED = 20_261_123;
  private static final long MIB = 1 << 20;
  private static final long BOUND = 16 * MIB;

  private final List<Tail> tails = new ArrayList<>();
  private final ArrayDeque<Long> underWay = new ArrayDeque<>();
  private long nanos = 11;
  private long stagedBytes;
  private final DueQueue queue =
      new DueQueue(
          new DuePolicy(TimeUnit.HOURS.toNanos(1), 1 << 20, OptionalLong.of(BOUND)),
          new Claimants(List.of()),
          () -> nanos,
          () -> stagedBytes,
          new Tempo(),
          new FactQueue(() -> 0));

  @BeforeEach
  void openTails(@TempDir Path base) throws Exception {
    for (int i = 0; i < 40; i++) {
      Path file = base.toRealPath().resolve("log-" + i);
      TestTails.grow(file, 0);
      Tail tail = TestTails.open(file);
      tail.scheduling().compressed(10_000, 500); // One byte in staging holds twenty.
      tails.add(tail);
    }
  }

  @AfterEach
  void closeTails() throws Exception {
    for (Tail tail : tails) {
      tail.file().giveUpDescriptor();
    }
  }

  private void write(Tail tail, long bytes) throws Exception {
    TestTails.grow(tail, bytes);
    TailLook.refresh(tail, nanos, 0);
    queue.schedule(tail);
  }

  /** Does what a worker does with a claim: all that is unread is read, and in flight. */
  private void read(Tail tail) {
    long unread = tail.work().unreadBytes();
    underWay.add(unread);
    stagedBytes += unread;
    tail.advance(
        tail.observedBytes(), Marker.NONE, new BlockRun(tail.positionBytes()), false, nanos);
    queue.release(tail);
  }

  private void deliver(long bytes) {
    long left = bytes;
    while (!underWay.isEmpty() && left > 0) {
      long first = underWay.removeFirst();
      long part = Math.min(first, left);
      stagedBytes -= part;
      left -= part;
      if (part < first) {
        underWay.addFirst(first - part);
      }
    }
  }

  @Test
  void nothingIsDueBeforeHalfOfTheBoundIsAtRisk() throws Exception {
    for (Tail tail : tails) {
      write(tail, BOUND / 2 / tails.size() - 1);
    }
    assertTrue(queue.poll().isEmpty());
  }

  @Test
  void aBurstOverManyFilesIsDueBySumLongestFirst() throws Exception {
    for (Tail tail : tails) {
      write(tail, BOUND / 2 / tails.size());
    }
    write(tails.get(7), MIB);
    assertEquals(tails.get(7), queue.poll().orElseThrow().tail().orElseThrow());
  }

  @Test
  void whatIsUnderWayIsNotHelpedByReadingMore() throws Exception {
    stagedBytes = BOUND;
    write(tails.getFirst(), BOUND / 8 - 1);
    assertTrue(queue.poll().isEmpty());
    write(tails.getFirst(), 1);
    assertTrue(queue.poll().isPresent());
  }

  /** In each tick, at most a quarter of the bound is written, and as much can be delivered. */
  @Test
  void theBoundHoldsWhateverFilesGrowAsLongAsTheUplinkKeepsUp() throws Exception {
    Random random = new Random(SEED);
    for (int tick = 0; tick < 2_000; tick++) {
      nanos += TimeUnit.MILLISECONDS.toNanos(50);
      long toWrite = random.nextLong(BOUND / 4);
      while (toWrite > 0) {
        long part = Math.min(toWrite, 1 + random.nextLong(MIB));
        write(tails.get(random.nextInt(tails.size())), part);
        toWrite -= part;
      }
      long atRisk = queue.unreadBytes() + stagedBytes;
      assertTrue(atRisk <= BOUND, "seed " + SEED + ", tick " + tick + ": " + atRisk);
      for (var claim = queue.poll(); claim.isPresent(); claim = queue.poll()) {
        read(claim.get().tail().orElseThrow());
      }
      deliver(BOUND / 4);
    }
  }
}
