package dev.tailwater.bench.agent;

import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/**
 * A program that wants all of every processor: one thread for each, going round an array of 256 KiB
 * that fits the second cache. For each line on its standard input it answers how many rounds all
 * threads have made so far, and in nanoseconds its clock and the processor time that it has got.
 */
public final class CpuNeighbourChild {
  private static final int WORDS = 256 * 1024 / Integer.BYTES;

  private CpuNeighbourChild() {}

  public static void main(String[] arguments) throws IOException {
    SchedulingCalls calls = LinuxSchedulingCalls.create();
    LongAdder rounds = new LongAdder();
    int threads = Integer.parseInt(arguments[0]);
    for (int i = 0; i < threads; i++) {
      int seed = i;
      Thread.ofPlatform().daemon(true).start(() -> compute(rounds, seed));
    }
    try (BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (questions.readLine() != null) {
        System.out.println(rounds.sum() + " " + System.nanoTime() + " " + calls.processCpuNanos());
      }
    }
  }

  private static void compute(LongAdder rounds, int seed) {
    int[] words = new int[WORDS];
    int value = seed + 1;
    while (true) {
      for (int i = 0; i < WORDS; i++) {
        value = value * 0x9E3779B1 + words[i];
        words[i] = value ^ value >>> 15;
      }
      rounds.increment();
    }
  }
}
