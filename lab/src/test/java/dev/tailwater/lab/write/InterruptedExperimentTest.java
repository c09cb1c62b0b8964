package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.write.BlockVolume.LoopKind;
import dev.tailwater.lab.write.WriteSizeBlockExperiment.BlockPlan;
import dev.tailwater.lab.write.WriteSizeSyncExperiment.SyncPlan;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is mounted for an experiment is unmounted however it ends. */
final class InterruptedExperimentTest {
  private static final int MANY_ROUNDS = 100_000;
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path directory = Path.of("");

  @Test
  void aStandInIsUnmountedAlsoWhenItsServerWasKilledBefore() throws Exception {
    WriteSizeSyncExperiment experiment =
        new WriteSizeSyncExperiment(
            new SyncPlan(64 << 10, List.of(8 << 10), 0, MANY_ROUNDS, Duration.ofHours(1)));
    assumeTrue(
        experiment.missing(TestLaboratory.in(directory)).isEmpty(), "no FUSE and no NFS here");

    stop(
        experiment,
        () ->
            ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("FuseServer"))
                .forEach(ProcessHandle::destroyForcibly));

    assertFalse(isMountPointBelow(directory));
  }

  @Test
  void aLoopDeviceIsUnmounted() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root may mount a file system");

    stop(
        new WriteSizeBlockExperiment(
            new BlockPlan(
                64 << 10,
                List.of(8192),
                List.of(LoopKind.EXT4_4_KIB),
                0,
                MANY_ROUNDS,
                Duration.ofHours(1))),
        () -> {});

    assertFalse(isMountPointBelow(directory));
    assertEquals(List.of(directory.resolve("test.dat")), TestLaboratory.left(directory));
  }

  private void stop(Experiment experiment, Runnable before) throws InterruptedException {
    CountDownLatch measuring = new CountDownLatch(1);
    AtomicReference<Exception> end = new AtomicReference<>(new Exception("it came to its end"));
    Laboratory laboratory =
        new Laboratory(
            directory,
            Effort.QUICK,
            LinuxFileCalls.create(),
            new SplittableRandom(1),
            (_, doing) -> {
              if (doing.startsWith("round")) {
                measuring.countDown();
              }
            });
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    experiment.run(laboratory);
                  } catch (IOException | InterruptedException e) {
                    end.set(e);
                  }
                });
    assertTrue(measuring.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    thread.interrupt();
    before.run();
    thread.join(Duration.ofSeconds(PATIENCE_SECONDS));
    assertFalse(thread.isAlive());
    assertTrue(
        end.get() instanceof IOException || end.get() instanceof InterruptedException,
        () -> "" + end.get());
  }

  private static boolean isMountPointBelow(Path directory) throws IOException {
    String prefix = " " + directory.toRealPath() + "/";
    return Files.readString(Path.of("/proc/self/mounts")).contains(prefix);
  }
}
