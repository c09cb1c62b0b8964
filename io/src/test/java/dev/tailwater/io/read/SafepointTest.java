package dev.tailwater.io.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import dev.tailwater.posix.testkit.fuse.FuseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A read that waits for a file system holds up no garbage collection. The file system is a real
 * FUSE mount whose server holds the READ until it is told otherwise; what reads and collects is
 * another JVM, since it may hang. Asserted is the order of events, never a time.
 */
final class SafepointTest {
  private static final int FILE_BYTES = 128 * 1024;

  /** For the JVM that does hang: how long it is given to prove the opposite. */
  private static final int HANGING_SECONDS = 2;

  @ParameterizedTest(name = "{0} {1} direct_io={2}")
  @CsvSource({
    "front, -XX:+UseSerialGC, true",
    "front, -XX:+UseG1GC, false",
    "tail, -XX:+UseSerialGC, false",
    "view, -XX:+UseSerialGC, false"
  })
  void garbageIsCollectedWhileAReadWaits(String way, String collector, boolean directIo)
      throws Exception {
    try (FuseFileSystem slow =
            FuseFileSystem.mount(directIo ? FuseOptions.direct() : FuseOptions.cached());
        ChildJvm child = start(slow, way, collector)) {
      slow.holdReads();
      try {
        readAndCollect(slow, child);
        assertEquals("collected", child.nextLine());
      } finally {
        slow.releaseReads();
      }
      assertEquals("read " + FILE_BYTES + " bytes", child.nextLine());
      assertEquals(List.of("exit code 0"), child.end());
    }
  }

  /** That the test above can fail: the same with a raw critical call. */
  @Test
  void aRawCriticalReadHoldsUpTheCollector() throws Exception {
    try (FuseFileSystem slow = FuseFileSystem.mount(FuseOptions.cached());
        ChildJvm child = start(slow, "raw", "-XX:+UseSerialGC")) {
      slow.holdReads();
      try {
        readAndCollect(slow, child);
        assertEquals(Optional.empty(), child.nextLine(HANGING_SECONDS));
      } finally {
        slow.releaseReads();
      }
      assertEquals(
          List.of("collected", "read " + FILE_BYTES + " bytes"),
          List.of(child.nextLine(), child.nextLine()).stream().sorted().toList());
      assertEquals(List.of("exit code 0"), child.end());
    }
  }

  private static ChildJvm start(FuseFileSystem slow, String way, String collector)
      throws IOException, InterruptedException {
    Path file = Files.write(slow.root().resolve("file"), new byte[FILE_BYTES]);
    ChildJvm child = ChildJvm.start(List.of(collector), HeldRead.class, file.toString(), way);
    assertEquals("ready", child.nextLine());
    return child;
  }

  private static void readAndCollect(FuseFileSystem slow, ChildJvm child) throws Exception {
    slow.reset();
    child.tell("r");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (slow.counts().readRequests() == 0) {
      assertTrue(System.nanoTime() < deadline, "no READ came");
      TimeUnit.MILLISECONDS.sleep(2);
    }
    child.tell("g");
  }
}
