package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random rounds with each way to be notified. {@code -Dtailwater.seed=N} repeats a failure. */
abstract class RootsProperty {
  /** Roots whose parents are missing are only found by looking for them. */
  private static final WatchOptions OPTIONS =
      WatchHarness.NOTIFIED_ONLY.withTickMillis(1).withPollMillis(5);

  final FileCalls calls = LinuxFileCalls.create();
  final long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());

  @TempDir Path directory;

  private final int rounds;

  RootsProperty(int rounds) {
    this.rounds = rounds;
  }

  /** Does something to roots, and asserts that the watch ends with what is there. */
  abstract void round(int number, WatchOptions options, SplittableRandom random) throws Exception;

  @Test
  void notificationEndsWithWhatIsThere() throws Exception {
    rounds(OPTIONS);
  }

  @Test
  void fanotifyEndsWithWhatIsThere() throws Exception {
    Fanotify.assumePermitted(calls, directory);
    rounds(OPTIONS.withNotification(NotificationMethod.FANOTIFY));
  }

  @Test
  void pollingEndsWithWhatIsThere() throws Exception {
    rounds(OPTIONS.withNotification(NotificationMethod.POLLING));
  }

  private void rounds(WatchOptions options) throws Exception {
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int number = 0; number < rounds; number++) {
      round(number, options, new SplittableRandom(seeds.nextLong()));
    }
  }
}
