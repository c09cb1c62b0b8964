package dev.tailwater.delivery;

import dev.tailwater.posix.testkit.CrashError;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes agents die at each call in turn, several at once. An extension of crash tests. {@code
 * -Dtailwater.crash.sample=N} tries only one in N calls, others for each {@code
 * -Dtailwater.seed=N}.
 */
final class CrashTrials implements BeforeAllCallback, AfterAllCallback {
  private static final int LIVES_AT_ONCE = 6;

  /** A trial at one call. */
  @FunctionalInterface
  interface Trial {
    void at(long call) throws Exception;
  }

  /** Silences the threads that die with the process, which would report it hundreds of times. */
  @Override
  public void beforeAll(ExtensionContext context) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          if (!(failure instanceof CrashError)) {
            failure.printStackTrace();
          }
        });
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }

  /** Runs the trial at every call. */
  static void atEach(long calls, Trial trial) throws Exception {
    run(1, calls, 1, trial);
  }

  /** Runs the trial at one call of so many, each time others. */
  static void atEvery(int stride, long calls, Trial trial) throws Exception {
    run(1 + new Random().nextInt(stride), calls, stride, trial);
  }

  /** Runs trials at once, since they are independent and spend most of their time waiting. */
  private static void run(long first, long last, int stride, Trial trial) throws Exception {
    List<Future<Void>> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
      for (long number : calls(first, last, stride)) {
        outcomes.add(
            threads.submit(
                () -> {
                  trial.at(number);
                  return null;
                }));
      }
    }
    for (Future<Void> outcome : outcomes) {
      outcome.get();
    }
  }

  private static long[] calls(long first, long last, int stride) {
    int sample = Integer.getInteger("tailwater.crash.sample", 0);
    if (sample == 0) {
      return LongStream.iterate(first, call -> call <= last, call -> call + stride).toArray();
    }
    Random random = new Random(Long.getLong("tailwater.seed", System.nanoTime()));
    return random.longs(1, last + 1).distinct().limit(Math.min(sample, last)).toArray();
  }
}
