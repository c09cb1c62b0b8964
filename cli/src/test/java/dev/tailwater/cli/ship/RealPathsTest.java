package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The resolution of links, on a file system that may not answer. */
class RealPathsTest {
  @TempDir private Path directory;

  @Test
  void followsLinksAsFarAsThePathExists() throws IOException {
    Path real = Files.createDirectory(directory.toRealPath().resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    assertEquals(real.resolve("not/there"), new RealPaths().of(link.resolve("not/there")));
  }

  @Test
  void aPathThatDoesNotAnswerStaysAsItIsAndTheNextOnesAreResolved() {
    CountDownLatch answer = new CountDownLatch(1);
    RealPaths paths =
        new RealPaths(
            path -> {
              if (path.endsWith("away")) {
                await(answer);
              }
              return Path.of("/resolved").resolve(path.getFileName());
            },
            Duration.ofMillis(200));
    assertEquals(Path.of("/resolved/a"), paths.of(Path.of("/a")));
    assertEquals(Path.of("/resolved/b/away"), paths.of(Path.of("/b/away")));
    assertEquals(Path.of("/resolved/c"), paths.of(Path.of("/c")));
    answer.countDown();
  }

  @Test
  void manyPathsAreResolvedByFewThreads() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    RealPaths paths =
        new RealPaths(
            path -> {
              threads.add(Thread.currentThread());
              return path;
            },
            Duration.ofSeconds(10));
    for (int i = 0; i < 1_000; i++) {
      assertEquals(Path.of("/" + i), paths.of(Path.of("/" + i)));
    }
    assertTrue(threads.size() < 10, threads.size() + " threads");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
