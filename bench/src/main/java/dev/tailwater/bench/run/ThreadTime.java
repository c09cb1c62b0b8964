package dev.tailwater.bench.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compares ways of doing one thing within this process: they take turns, round after round, so that
 * a busy machine treats all alike, and what counts is the processor time of this thread, user and
 * system. The first rounds, in which the JVM compiles, do not count.
 */
public final class ThreadTime {
  private static final int WARM_UP_ROUNDS = 3;

  /** One way of doing it. */
  public interface Way {
    /** Does it once; returns the number of bytes that were worked on. */
    long run() throws IOException;
  }

  private final Map<String, Way> ways = new LinkedHashMap<>();

  public void add(String name, Way way) {
    ways.put(name, way);
  }

  /** Megabytes (10⁶) for each second of processor time. */
  public Map<String, Samples> megabytesPerSecond(int rounds) throws IOException {
    Map<String, Samples> all = new LinkedHashMap<>();
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long bytes = way.getValue().run();
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        if (round >= 0) {
          all.computeIfAbsent(way.getKey(), _ -> new Samples()).add(bytes * 1e3 / nanos);
        }
      }
    }
    return all;
  }
}
