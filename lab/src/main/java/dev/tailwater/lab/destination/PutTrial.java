package dev.tailwater.lab.destination;

import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * A trial that puts segments of one size for a while, several at the same time, and removes them
 * again.
 */
final class PutTrial {
  /**
   * The number of places in the same random bytes at which segments begin, a power of two. No two
   * segments are the same until all places were used.
   */
  static final int PLACES = 1 << 20;

  /**
   * The distance of two places, odd so that every place is used before the first one is used again.
   */
  private static final int SHIFT_BYTES = 4099;

  private final DestinationScratch scratch;
  private final DestinationPlan plan;
  private final ByteBuffer random;
  private final AtomicInteger segments = new AtomicInteger();

  PutTrial(DestinationScratch scratch, DestinationPlan plan, RandomGenerator generator) {
    this.scratch = scratch;
    this.plan = plan;
    byte[] bytes = new byte[Collections.max(plan.sizesBytes()) + PLACES];
    generator.nextBytes(bytes);
    this.random = ByteBuffer.wrap(bytes);
  }

  /** Returns MB/s, and the median and the longest time of a put in milliseconds. */
  double[] measure(int sizeBytes, int parallel) throws IOException, InterruptedException {
    int most = (int) Math.max(parallel, plan.mostBytes() / sizeBytes);
    AtomicInteger next = new AtomicInteger();
    List<Double> millis = new ArrayList<>();
    long startNanos = System.nanoTime();
    long endNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(plan.millis());
    try (ExecutorService threads = Executors.newFixedThreadPool(parallel)) {
      List<Future<List<Double>>> parts = new ArrayList<>();
      for (int i = 0; i < parallel; i++) {
        parts.add(threads.submit(() -> put(sizeBytes, next, parallel, most, endNanos)));
      }
      for (Future<List<Double>> part : parts) {
        millis.addAll(resultOf(part));
      }
    }
    double nanos = System.nanoTime() - startNanos;
    cleaned();
    Collections.sort(millis);
    return new double[] {
      millis.size() * (double) sizeBytes * 1e3 / nanos,
      millis.get(millis.size() / 2),
      millis.getLast()
    };
  }

  private List<Double> put(int sizeBytes, AtomicInteger next, int parallel, int most, long endNanos)
      throws DestinationException {
    List<Double> millis = new ArrayList<>();
    while (true) {
      int number = next.getAndIncrement();
      boolean late = System.nanoTime() - endNanos > 0;
      if (number >= most || (late && number >= parallel)) {
        return millis;
      }
      int from = place(segments.getAndIncrement());
      long beganNanos = System.nanoTime();
      scratch.put(random.slice(from, sizeBytes));
      millis.add((System.nanoTime() - beganNanos) / 1e6);
    }
  }

  /** Returns where the segment of this number begins, from 0, below {@link #PLACES}. */
  static int place(int segment) {
    return segment * SHIFT_BYTES & PLACES - 1;
  }

  private void cleaned() throws IOException {
    try {
      scratch.clean();
    } catch (DestinationException e) {
      throw failed("removing what was put", e);
    }
  }

  private static List<Double> resultOf(Future<List<Double>> part)
      throws IOException, InterruptedException {
    try {
      return part.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DestinationException cause) {
        throw failed("a put", cause);
      }
      throw new IOException("a put failed: " + e.getCause(), e);
    }
  }

  private static IOException failed(String what, DestinationException cause) {
    return new IOException(
        what + " failed: " + cause.getMessage() + "; " + cause.finalHint(), cause);
  }
}
