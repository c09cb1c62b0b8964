package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is done to a tree, in the end the names that follow from the changes are the names that
 * are there. {@code -Dtailwater.seed=N} repeats a failure.
 */
final class DirectoryWatchPropertyTest {
  private static final int ROUNDS = 8;
  private static final int STEPS = 150;
  private static final WatchOptions ONLY_FANOTIFY =
      WatchHarness.NOTIFIED_ONLY.withNotification(NotificationMethod.FANOTIFY);

  private final FileCalls calls = LinuxFileCalls.create();

  /** How many names there are in a directory. */
  private int names = RandomTree.FEW_NAMES;

  private final long seed = Long.getLong("tailwater.seed", ThreadLocalRandom.current().nextLong());

  @TempDir Path directory;

  @Test
  void notificationAloneEndsWithWhatIsThere() throws Exception {
    rounds(calls, WatchHarness.NOTIFIED_ONLY.withTickMillis(1), false);
  }

  @Test
  void notificationAloneEndsWithWhatIsThereWhileOthersAreAtWork() throws Exception {
    rounds(calls, WatchHarness.NOTIFIED_ONLY.withTickMillis(1), true);
  }

  @Test
  void pollingAloneEndsWithWhatIsThere() throws Exception {
    FileCalls withoutInotify =
        FaultyFileCalls.wrap(calls, FaultPlan.failAll("inotifyInit", Errno.EMFILE)).calls();
    rounds(withoutInotify, WatchHarness.NOTIFIED_ONLY.withPollMillis(5), false);
    rounds(withoutInotify, WatchHarness.NOTIFIED_ONLY.withPollMillis(5), true);
  }

  @Test
  void scansEndWithWhatIsThereWhenWatchesRunOut() throws Exception {
    WatchOptions options =
        WatchHarness.NOTIFIED_ONLY
            .withTickMillis(1)
            .withPollMillis(5)
            .withNotification(NotificationMethod.INOTIFY);
    for (long n = 1; n < 4; n++) {
      long every = n;
      FaultPlan plan =
          FaultPlan.when(
              call -> call.is("inotifyAddWatch") && call.number() % (every + 1) == 0,
              new dev.tailwater.posix.testkit.Fault.Fail(Errno.ENOSPC));
      rounds(FaultyFileCalls.wrap(calls, plan).calls(), options, true);
    }
  }

  @Test
  void scansInTheSmallestPortionsEndWithWhatIsThere() throws Exception {
    WatchOptions options = WatchHarness.NOTIFIED_ONLY.withTickMillis(1).withPortionNames(1);
    WatchOptions polling = options.withNotification(NotificationMethod.POLLING).withPollMillis(5);
    rounds(calls, options.withReconcileMillis(5), false);
    rounds(calls, options.withReconcileMillis(5), true);
    rounds(calls, polling, false);
    names = 3 * RandomTree.FEW_NAMES; // More files in a directory than may be undecided at once.
    rounds(calls, options, true);
    rounds(calls, polling, true);
  }

  @Test
  void fanotifyAloneEndsWithWhatIsThere() throws Exception {
    Fanotify.assumePermitted(calls, directory);
    WatchOptions options = ONLY_FANOTIFY.withTickMillis(1);
    rounds(calls, options, false);
    rounds(calls, options, true);
  }

  @Test
  void fanotifyOfOldKernelsEndsWithWhatIsThere() throws Exception {
    Fanotify.assumePermitted(calls, directory);
    rounds(Fanotify.withoutRenameEvents(calls), ONLY_FANOTIFY.withTickMillis(1), true);
  }

  @Test
  void directoriesThatAreHandedOverEndWithWhatIsThere() throws Exception {
    Fanotify.assumePermitted(calls, directory);
    WatchOptions options = WatchHarness.NOTIFIED_ONLY.withTickMillis(1).withReconcileMillis(5);
    FaultPlan third =
        FaultPlan.when(
            call -> call.is("inotifyAddWatch") && call.number() % 3 == 0,
            new dev.tailwater.posix.testkit.Fault.Fail(Errno.ENOSPC));
    rounds(FaultyFileCalls.wrap(calls, third).calls(), options, true);
  }

  private void rounds(FileCalls with, WatchOptions options, boolean concurrent) throws Exception {
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      round(with, options, concurrent, seeds.nextLong());
    }
  }

  private void round(FileCalls with, WatchOptions options, boolean concurrent, long roundSeed)
      throws Exception {
    Path root = Files.createTempDirectory(directory, "root");
    Path outside = Files.createTempDirectory(directory, "outside");
    SplittableRandom random = new SplittableRandom(roundSeed);
    RandomTree tree = new RandomTree(root, outside, random.split(), names);
    try (WatchHarness watch = new WatchHarness(with, options, root)) {
      if (concurrent) {
        stepsBeside(tree, watch);
      } else {
        stepsBetween(tree, watch, random);
      }
      watch.until(() -> watch.known.equals(filesOf(root)));
      watch.untilQuiet();
      assertEquals(RandomTree.files(root), watch.known);
      assertEquals(watch.known.size(), watch.watch().statistics().files());
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "repeat with -Dtailwater.seed=%d; there is %s".formatted(seed, filesOf(root)), e);
    }
  }

  private static void stepsBetween(RandomTree tree, WatchHarness watch, SplittableRandom random)
      throws IOException {
    for (int i = 0; i < STEPS; i++) {
      tree.step();
      if (random.nextInt(5) == 0) {
        watch.next(0);
      }
    }
  }

  private static void stepsBeside(RandomTree tree, WatchHarness watch) throws Exception {
    AtomicReference<IOException> failure = new AtomicReference<>();
    Thread worker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < STEPS; i++) {
                      tree.step();
                    }
                  } catch (IOException e) {
                    failure.set(e);
                  }
                });
    while (worker.isAlive()) {
      watch.next(1);
    }
    worker.join();
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  static java.util.Set<dev.tailwater.posix.PosixPath> filesOf(Path root) {
    try {
      return RandomTree.files(root);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
