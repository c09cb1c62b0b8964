package dev.tailwater.io.watch;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random rounds with each way to be notified. {@code -Dtailwater.seed=N} repeats a failure. */
abstract class RootsProperty {
  /** No event tells that a directory above a root has moved. */
  private static final WatchOptions OPTIONS =
      WatchHarness.NOTIFIED_ONLY.withTickMillis(1).withPollMillis(5);

  final FileCalls calls = LinuxFileCalls.create();
  final long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());

  private static final int LEVEL_STEPS = 40;

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

  /**
   * Roots come and go with the directories above them, of which events alone tell.
   *
   * @param isRight whether these are the files that are there
   */
  final void levels(
      RandomLevels levels,
      List<Path> roots,
      WatchOptions options,
      SplittableRandom random,
      Predicate<Set<PosixPath>> isRight)
      throws IOException {
    boolean isTold = options.notification() != NotificationMethod.POLLING;
    WatchOptions alone =
        isTold ? options.withPollMillis(WatchHarness.NOTIFIED_ONLY.pollMillis()) : options;
    try (WatchHarness watch = new WatchHarness(calls, alone, roots.toArray(new Path[0]))) {
      for (int i = 0; i < LEVEL_STEPS; i++) {
        levels.step();
        for (int looks = random.nextInt(3); looks > 0; looks--) {
          watch.next(0);
        }
        if (random.nextInt(4) == 0) {
          watch.until(() -> isRight.test(watch.known));
        }
      }
      watch.until(() -> isRight.test(watch.known));
    }
  }

  private void rounds(WatchOptions options) throws Exception {
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int number = 0; number < rounds; number++) {
      round(number, options, new SplittableRandom(seeds.nextLong()));
    }
  }
}
