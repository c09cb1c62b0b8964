package dev.tailwater.lab.buffer;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.PooledBuffer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program of article 002 that ran out of direct memory although hardly any was in use: threads
 * that take a buffer, write to all of it and drop it, again and again. It is a main class of its
 * own, since the JVM's memory is measured.
 *
 * <p>Command: way, threads, bytes of a buffer, milliseconds (or until the first buffer was taken).
 * Answer: 1 if it ended by an OutOfMemoryError, buffers taken, milliseconds, then for each sample
 * the milliseconds since the start and the resident KiB.
 */
final class BufferStressChild {
  /** The bound of the pool, however many threads want buffers. */
  static final long POOL_BOUND_BYTES = 64L << 20;

  private static final int SAMPLE_MILLIS = 20;

  private final BufferWay way;
  private final int sizeBytes;
  private final BufferPool pool = BufferPool.ofBound(POOL_BOUND_BYTES);
  private final AtomicLong taken = new AtomicLong();
  private final CountDownLatch outOfMemory = new CountDownLatch(1);

  private BufferStressChild(BufferWay way, int sizeBytes) {
    this.way = way;
    this.sizeBytes = sizeBytes;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String command = commands.readLine();
    if (command != null) {
      String[] words = command.split(" ", -1);
      System.out.println(
          new BufferStressChild(BufferWay.valueOf(words[0]), Integer.parseInt(words[2]))
              .run(Integer.parseInt(words[1]), Long.parseLong(words[3])));
    }
  }

  private String run(int threads, long millis) throws IOException, InterruptedException {
    StringBuilder curve = new StringBuilder();
    long start = System.nanoTime();
    long resident = ResidentMemory.kibibytes();
    curve.append(" 0 ").append(resident);
    for (int i = 0; i < threads; i++) {
      String holder = "thread-" + i;
      Thread.ofPlatform().daemon().start(() -> takeForEver(holder));
    }
    boolean ended = false;
    long now = 0;
    while ((now < millis || taken.get() == 0) && !ended) {
      ended = outOfMemory.await(SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
      resident = ResidentMemory.kibibytes();
      now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      curve.append(' ').append(now).append(' ').append(resident);
    }
    return (ended ? 1 : 0) + " " + taken.get() + " " + now + curve;
  }

  private void takeForEver(String holder) {
    try {
      for (byte value = 0; ; value++) {
        take(holder, value);
        taken.incrementAndGet();
      }
    } catch (OutOfMemoryError e) {
      outOfMemory.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(String holder, byte value) throws InterruptedException {
    switch (way) {
      case HEAP -> fill(ByteBuffer.allocate(sizeBytes), value);
      case DIRECT -> fill(ByteBuffer.allocateDirect(sizeBytes), value);
      case ARENA -> {
        try (Arena arena = Arena.ofConfined()) {
          arena.allocate(sizeBytes).fill(value);
        }
      }
      case SHARED_ARENA -> {
        try (Arena arena = Arena.ofShared()) {
          arena.allocate(sizeBytes).fill(value);
        }
      }
      case POOL -> {
        try (PooledBuffer buffer = pool.acquire(holder, sizeBytes)) {
          buffer.segment().fill(value);
        }
      }
    }
  }

  private static void fill(ByteBuffer buffer, byte value) {
    MemorySegment.ofBuffer(buffer).fill(value);
  }
}
