package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every engine does alike. */
@Timeout(60)
abstract class RandomReadsContract {
  private static final int FILE_BYTES = 3_000_017;
  private static final int BLOCK_BYTES = 4096;

  private final FileCalls calls = LinuxFileCalls.create();
  private final Arena arena = Arena.ofShared();
  @TempDir private Path directory;
  private Path path = Path.of("");
  private byte[] content = new byte[0];

  abstract ReadEngine engine();

  @BeforeEach
  void writeFile() throws IOException {
    path = directory.resolve("file");
    content = new byte[FILE_BYTES];
    new Random(7).nextBytes(content);
    Files.write(path, content);
    if (engine() == ReadEngine.URING) {
      EngineChoice choice = new EngineProbe(calls, RandomReadOptions.defaults()).choose();
      assumeTrue(choice.engine() == ReadEngine.URING, choice.reason());
    }
  }

  @AfterEach
  void freeMemory() {
    arena.close();
  }

  private RandomReads open(int depth) throws IOException {
    return RandomReads.open(calls, new RandomReadOptions(depth, Optional.of(engine())));
  }

  private Descriptor descriptor(OpenFlag... flags) throws IOException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(flags), 0);
  }

  private void check(ReadRequest request, ReadResult result) throws IOException {
    int expected =
        (int)
            Math.max(
                0, Math.min(request.target().byteSize(), content.length - request.offsetBytes()));
    assertEquals(expected, result.bytesOrThrow(), () -> "at offset " + request.offsetBytes());
    if (expected > 0) {
      int from = (int) request.offsetBytes();
      assertEquals(
          -1,
          request
              .target()
              .asSlice(0, expected)
              .mismatch(MemorySegment.ofArray(content).asSlice(from, expected)),
          () -> "bytes at offset " + from);
    }
  }

  private List<ReadRequest> randomBatch(RandomFile file, Random random, int maxRequests) {
    List<ReadRequest> batch = new ArrayList<>();
    int count = random.nextInt(maxRequests + 1);
    for (int i = 0; i < count; i++) {
      long offset = random.nextInt(FILE_BYTES + 20_000);
      int bytes = 1 + random.nextInt(random.nextInt(8) == 0 ? 200_000 : 9_000);
      batch.add(new ReadRequest(file, offset, arena.allocate(bytes)));
    }
    return batch;
  }

  @Test
  void readsWhatTheFileHoldsInRandomBatches() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Descriptor descriptor = descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      for (int round = 0; round < 30; round++) {
        try (RandomReads reads = open(1 + random.nextInt(40))) {
          for (int i = 0; i < 5; i++) {
            List<ReadRequest> batch = randomBatch(file, random, 100);
            List<ReadResult> results = reads.readAll(batch);
            assertEquals(batch.size(), results.size());
            for (int r = 0; r < batch.size(); r++) {
              check(batch.get(r), results.get(r));
            }
          }
        }
      }
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void givesTheSameToPlatformAndVirtualThreadsThatReadAtOnce() throws Exception {
    try (RandomReads reads = open(16);
        Descriptor descriptor = descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      try (ExecutorService platform = Executors.newFixedThreadPool(8);
          ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          Random random = new Random(i);
          ExecutorService threads = i % 2 == 0 ? platform : virtual;
          all.add(
              threads.submit(
                  () -> {
                    for (int round = 0; round < 10; round++) {
                      List<ReadRequest> batch = randomBatch(file, random, 20);
                      List<ReadResult> results = reads.readAll(batch);
                      for (int r = 0; r < batch.size(); r++) {
                        check(batch.get(r), results.get(r));
                      }
                    }
                    return null;
                  }));
        }
        for (Future<?> each : all) {
          each.get();
        }
      }
    }
  }
}
