package dev.tailwater.bench;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.BufferPoolStatistics;
import dev.tailwater.io.buffer.PooledBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench buffers}: article 002's stress. 2, 4, 8 and 16 threads take 10 MiB buffers from a
 * pool of 64 MiB, write to them and release them, while resident memory is watched; and the same
 * with {@code ByteBuffer.allocateDirect} in JVMs that may use 256 MiB of direct memory, where the
 * article ran into an OutOfMemoryError with two threads.
 */
@Command(name = "buffers", description = "A pool of buffers under stress, and direct buffers.")
final class BuffersBenchmark implements Callable<Integer> {
  private static final int[] THREADS = {2, 4, 8, 16};
  private static final int BUFFER_BYTES = 10 << 20;
  private static final long BOUND_BYTES = 64L << 20;
  private static final int SAMPLE_MILLIS = 100;
  private static final int DIRECT_SECONDS = 5;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Length of the pool's part (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    RunReport report =
        new RunReport("buffers", Path.of(""), ProgramOptions.directories(runs))
            .condition("command", "bench buffers --seconds " + seconds)
            .condition("bufferMebibytes", BUFFER_BYTES >> 20)
            .condition("boundMebibytes", BOUND_BYTES >> 20);
    stress(2, TimeUnit.SECONDS.toNanos(1)); // the JVM's own memory is there afterwards
    boolean held = true;
    for (int threads : THREADS) {
      Stress stress = stress(threads, TimeUnit.SECONDS.toNanos(seconds) / THREADS.length);
      held &= stress.statistics().peakHeldBytes() <= BOUND_BYTES;
      report.result("pool" + threads + "Threads", stress.toMap());
    }
    for (int threads : new int[] {2, 16}) {
      report.result("allocateDirect" + threads + "Threads", direct(threads));
    }
    report.result("boundHeld", held ? "yes" : "no").finish();
    return held ? 0 : 1;
  }

  private record Stress(
      long acquisitions, long nanos, BufferPoolStatistics statistics, ResidentCurve resident) {
    Map<String, Object> toMap() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("acquisitionsPerSecond", acquisitions * 1e9 / nanos);
      map.put("mappings", statistics.mappings());
      map.put("waits", statistics.waits());
      map.put("peakHeldMebibytes", statistics.peakHeldBytes() / (double) (1 << 20));
      map.put("residentMinMebibytes", resident.minMebibytes());
      map.put("residentMaxMebibytes", resident.maxMebibytes());
      map.put("resident", resident.sparkline());
      return map;
    }
  }

  private static Stress stress(int threads, long nanos)
      throws IOException, InterruptedException, ExecutionException {
    ResidentCurve resident = new ResidentCurve();
    long startNanos = System.nanoTime();
    try (BufferPool pool = BufferPool.ofBound(BOUND_BYTES);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> users = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        String holder = "thread-" + i;
        users.add(executor.submit(() -> use(pool, holder, startNanos + nanos)));
      }
      while (System.nanoTime() - startNanos < nanos) {
        Thread.sleep(SAMPLE_MILLIS);
        resident.sample();
      }
      long acquisitions = 0;
      for (Future<Long> user : users) {
        acquisitions += user.get();
      }
      return new Stress(acquisitions, System.nanoTime() - startNanos, pool.statistics(), resident);
    }
  }

  private static long use(BufferPool pool, String holder, long endNanos)
      throws InterruptedException {
    long count = 0;
    for (; System.nanoTime() - endNanos < 0; count++) {
      try (PooledBuffer buffer = pool.acquire(holder, BUFFER_BYTES)) {
        buffer.segment().fill((byte) count);
      }
    }
    return count;
  }

  private static Map<String, Object> direct(int threads) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=256m",
                "-cp",
                System.getProperty("java.class.path"),
                DirectBufferLoop.class.getName(),
                Integer.toString(threads),
                Integer.toString(BUFFER_BYTES),
                Integer.toString(DIRECT_SECONDS))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int exit = process.waitFor();
    String[] words = output.split(" ", -1);
    if (exit != 0 || words.length != 3) {
      throw new IOException("the JVM with direct buffers ended with " + exit + ": " + output);
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("end", words[0]);
    map.put("allocationsPerSecond", Long.parseLong(words[1]) * 1e3 / Long.parseLong(words[2]));
    map.put("seconds", Long.parseLong(words[2]) / 1e3);
    return map;
  }
}
