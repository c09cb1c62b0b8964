package dev.tailwater.lab.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A closed loop: for a fixed time, each thread begins an operation when its previous one has ended.
 */
public final class ClosedLoop {
  /** The largest number of threads. */
  public static final int MAX_THREADS = 64;

  private ClosedLoop() {}

  /** The operation of one thread. */
  public interface Client {
    void operate() throws Exception;
  }

  /** Creates the client for the thread of this number. */
  public interface Clients {
    Client of(int thread) throws Exception;
  }

  /**
   * Runs the loop with the given number of threads.
   *
   * @param buckets parts of the time that are counted separately
   * @param bucketNanos length of each
   * @param batch how many operations a thread does between two looks at the clock
   * @return operations per second that ended in each part
   */
  public static double[] run(int threads, int buckets, long bucketNanos, int batch, Clients clients)
      throws Exception {
    AtomicLong start = new AtomicLong();
    CyclicBarrier ready = new CyclicBarrier(threads, () -> start.set(System.nanoTime()));
    List<Future<long[]>> futures = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int thread = 0; thread < threads; thread++) {
        Client client = clients.of(thread);
        futures.add(
            executor.submit(
                () -> {
                  ready.await();
                  return loop(client, start.get(), buckets, bucketNanos, batch);
                }));
      }
    }
    double[] rates = new double[buckets];
    for (Future<long[]> future : futures) {
      long[] counts = resultOf(future);
      for (int bucket = 0; bucket < buckets; bucket++) {
        rates[bucket] += counts[bucket] * 1e9 / bucketNanos;
      }
    }
    return rates;
  }

  private static long[] loop(
      Client client, long startNanos, int buckets, long bucketNanos, int batch) throws Exception {
    long[] counts = new long[buckets];
    while (true) {
      for (int i = 0; i < batch; i++) {
        client.operate();
      }
      long bucket = (System.nanoTime() - startNanos) / bucketNanos;
      if (bucket >= buckets) {
        return counts;
      }
      counts[(int) bucket] += batch;
    }
  }

  private static long[] resultOf(Future<long[]> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a client failed: " + failed.getCause(), failed.getCause());
    }
  }

  /** Returns the mean over all parts. */
  public static double mean(double[] rates) {
    return Arrays.stream(rates).average().orElseThrow();
  }
}
