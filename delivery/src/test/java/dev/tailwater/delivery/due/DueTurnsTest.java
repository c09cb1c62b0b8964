package dev.tailwater.delivery.due;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.delivery.tail.TailLook;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that take turns where more is due than can be delivered. Files are sparse. */
final class DueTurnsTest {
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SEGMENT_BYTES = 1 << 16;
  private static final int SOURCES = 4;
  private static final int MANY = 60;

  private final List<Tail> tails = new ArrayList<>();
  private final List<PosixPath> roots = new ArrayList<>();
  private final Tempo tempo = new Tempo();
  private long nanos = 17;
  private long boundBytes = Long.MAX_VALUE / 16;
  private Path base;
  private DueQueue queue;

  @BeforeEach
  void makeRoots(@TempDir Path directory) throws Exception {
    base = directory.toRealPath();
    for (int i = 0; i < SOURCES; i++) {
      roots.add(PosixPath.of(Files.createDirectory(base.resolve("s" + i))));
    }
    open();
  }

  private void open() {
    queue =
        new DueQueue(
            new DuePolicy(MAX_AGE_NANOS, SEGMENT_BYTES, OptionalLong.of(boundBytes)),
            new Claimants(roots),
            () -> nanos,
            () -> 0,
            tempo,
            new FactQueue(() -> nanos));
  }

  @AfterEach
  void closeTails() throws Exception {
    for (Tail tail : tails) {
      tail.file().giveUpDescriptor();
    }
  }

  private Tail make(int source) throws Exception {
    Path file = Files.createFile(base.resolve("s" + source).resolve("f" + tails.size()));
    Tail tail = TestTails.open(file);
    tails.add(tail);
    return tail;
  }

  private void write(Tail tail, long bytes) throws Exception {
    TestTails.grow(tail, bytes);
    TailLook.refresh(tail, nanos, 0);
    queue.schedule(tail);
  }

  /** Does what a worker does with a claim: a segment is read. */
  private Tail serve() {
    Tail tail = queue.poll().orElseThrow().tail().orElseThrow();
    nanos += TimeUnit.MILLISECONDS.toNanos(1);
    long end = Math.min(tail.observedBytes(), tail.positionBytes() + SEGMENT_BYTES);
    tail.advance(end, Marker.NONE, new BlockRun(tail.positionBytes()), false, nanos);
    queue.release(tail);
    return tail;
  }

  private int source(Tail tail) {
    return new Claimants(roots).of(tail).source();
  }

  @Test
  void oneLineWaitsForOneTurnOfASourceWithManyFullSegments() throws Exception {
    for (int i = 0; i < MANY; i++) {
      write(make(0), 4 * SEGMENT_BYTES);
    }
    Tail few = make(1);
    write(few, 10);
    nanos += MAX_AGE_NANOS;
    List<Tail> served = List.of(serve(), serve(), serve());
    assertTrue(served.subList(0, 2).contains(few), "it had its turn among the first two");
    assertEquals(0, source(served.get(2)));
  }

  @Test
  void whoIsAloneIsServedByAge() throws Exception {
    List<Tail> expected = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Tail tail = make(2);
      write(tail, 10);
      expected.add(tail);
      nanos++;
    }
    nanos += MAX_AGE_NANOS;
    List<Tail> served = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      served.add(serve());
    }
    assertEquals(expected, served);
    assertTrue(queue.poll().isEmpty());
  }

  @Test
  void aDueLineIsServedThoughTooMuchIsAtRiskAndOthersBringMore() throws Exception {
    boundBytes = 1 << 20;
    open();
    List<Tail> long2 = List.of(make(0), make(0), make(0));
    for (Tail tail : long2) {
      write(tail, 1 << 20);
    }
    Tail few = make(1);
    write(few, 10);
    nanos += MAX_AGE_NANOS;
    int waited = 0;
    while (serve() != few) {
      for (Tail tail : long2) {
        write(tail, SEGMENT_BYTES); // They always bring more.
      }
      waited++;
    }
    assertTrue(waited <= 3, "it waited for " + waited);
  }

  @Test
  void inADrainTheOrderIsByGainWhoeverWaits() throws Exception {
    for (int i = 0; i < MANY; i++) {
      write(make(0), SEGMENT_BYTES);
    }
    Tail few = make(1);
    write(few, 10);
    nanos += MAX_AGE_NANOS;
    tempo.lease(Tempo.Mode.HURRY);
    List<Tail> served = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      served.add(serve());
    }
    assertFalse(served.contains(few));
  }

  /** At every moment, whoever has something due waits for at most two turns of each other. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nobodyIsOvertakenTwiceByTheSame(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < SOURCES * 5; i++) {
      Tail _ = make(i % SOURCES);
    }
    Map<Integer, int[]> overtaken = new HashMap<>();
    for (int step = 0; step < 4_000; step++) {
      Tail tail = tails.get(random.nextInt(1 + random.nextInt(tails.size())));
      write(tail, random.nextInt(20) == 0 ? 3 * SEGMENT_BYTES : random.nextInt(100));
      nanos += random.nextInt(5_000_000);
      if (!queue.isAnyDue()) {
        continue;
      }
      boolean[] due = new boolean[SOURCES];
      for (Tail waiting : tails) {
        DuePolicy policy = new DuePolicy(MAX_AGE_NANOS, SEGMENT_BYTES);
        OptionalLong dueNanos = policy.dueNanos(waiting, nanos);
        due[source(waiting)] |= dueNanos.isPresent() && dueNanos.getAsLong() - nanos <= 0;
      }
      int served = source(serve());
      for (int source = 0; source < SOURCES; source++) {
        int[] by = overtaken.computeIfAbsent(source, _ -> new int[SOURCES]);
        if (source == served || !due[source]) {
          overtaken.put(source, new int[SOURCES]);
        } else {
          by[served]++;
          assertTrue(by[served] <= 2, "seed " + seed + ", step " + step);
        }
      }
    }
  }
}
