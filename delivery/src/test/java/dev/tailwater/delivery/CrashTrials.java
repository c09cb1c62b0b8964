package dev.tailwater.delivery;

import dev.tailwater.posix.testkit.CrashError;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has agents die at one call after the other, several at once. An extension of such tests. */
final class CrashTrials implements BeforeAllCallback, AfterAllCallback {
  private static final int LIVES_AT_ONCE = 6;

  /** What is tried at one call. */
  @FunctionalInterface
  interface Trial {
    void at(long call) throws Exception;
  }

  /** Threads that die with the process say so at length, hundreds of times. */
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

  /** At every call. */
  static void atEach(long calls, Trial trial) throws Exception {
    run(1, calls, 1, trial);
  }

  /** At one call of so many, each time others. */
  static void atEvery(int stride, long calls, Trial trial) throws Exception {
    run(1 + new Random().nextInt(stride), calls, stride, trial);
  }

  /** Lives have nothing in common and spend most of their time waiting. */
  private static void run(long first, long last, int stride, Trial trial) throws Exception {
    List<Future<Void>> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(LIVES_AT_ONCE)) {
      for (long call = first; call <= last; call += stride) {
        long number = call;
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
}
