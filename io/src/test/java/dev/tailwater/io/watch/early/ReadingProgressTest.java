package dev.tailwater.io.watch.early;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.WatchEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingProgressTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();
  private static final long LONG_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private Path directory;
  private int fd;
  private ReadingProgress progress;

  @BeforeEach
  void openQueue(@TempDir Path base) throws Exception {
    directory = base;
    fd = CALLS.inotifyInit();
    CALLS.inotifyAddWatch(fd, PosixPath.of(base), Set.of(WatchEvent.CREATE));
    progress = new ReadingProgress(CALLS, System::nanoTime, fd);
  }

  @AfterEach
  void closeQueue() throws Exception {
    CALLS.close(fd);
  }

  private void readAll() throws Exception {
    progress.begin();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(4096, Long.BYTES);
      while (CALLS.inotifyRead(fd, buffer) > 0) {
        // The events themselves do not matter.
      }
    }
    progress.end();
  }

  @Test
  void anEmptyQueueIsSettled() throws Exception {
    assertTrue(progress.settle(0, () -> true));
    assertFalse(progress.wasBehind());
    assertFalse(progress.isBehind());
    assertFalse(progress.takeAwaited());
  }

  @Test
  void isBehindFromAnEarlyEndOfAWaitUntilTheQueueIsEmpty() throws Exception {
    Files.createFile(directory.resolve("a"));
    assertFalse(progress.settle(0, () -> true));
    assertTrue(progress.wasBehind());
    assertTrue(progress.isBehind());
    readAll();
    assertFalse(progress.wasBehind(), "though nobody has waited again");
    assertFalse(progress.isBehind());
    assertTrue(progress.takeAwaited(), "so that the other thread is woken");
    assertFalse(progress.takeAwaited(), "once");
  }

  @Test
  void waitsForNobodyWhoDoesNotRead() throws Exception {
    Files.createFile(directory.resolve("a"));
    assertFalse(progress.settle(LONG_MILLIS, () -> false));
    assertTrue(progress.wasBehind());
  }

  @Test
  void waitsUntilWhatIsBeingReadIsHandled() throws Exception {
    Files.createFile(directory.resolve("a"));
    progress.begin();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    readAll();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
    assertTrue(progress.settle(LONG_MILLIS, () -> true));
    assertFalse(progress.takeAwaited(), "nobody needs to be woken");
    reader.join();
  }
}
