package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** A file whose bytes are known, and checks of what was read of it. */
final class ReadsFixture implements AutoCloseable {
  final FileCalls calls = LinuxFileCalls.create();
  final Arena arena = Arena.ofShared();
  final Path path;
  final byte[] content;

  ReadsFixture(Path directory, int sizeBytes) throws IOException {
    path = directory.resolve("file");
    content = new byte[sizeBytes];
    new Random(7).nextBytes(content);
    Files.write(path, content);
  }

  /** Skips the test where the kernel does not have that engine. */
  static void assumeThereIs(ReadEngine engine) throws IOException {
    if (engine == ReadEngine.URING) {
      EngineChoice choice =
          new EngineProbe(LinuxFileCalls.create(), RandomReadOptions.defaults()).choose();
      assumeTrue(choice.engine() == ReadEngine.URING, choice.reason());
    }
  }

  RandomReads open(ReadEngine engine, int depth) throws IOException {
    return RandomReads.open(calls, new RandomReadOptions(depth, Optional.of(engine)));
  }

  Descriptor descriptor(OpenFlag... flags) throws IOException {
    return Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(flags), 0);
  }

  MemorySegment target(long bytes) {
    return arena.allocate(bytes);
  }

  /** Up to that many requests, some of them across the end of the file or behind it. */
  List<ReadRequest> randomBatch(RandomFile file, Random random, int maxRequests) {
    List<ReadRequest> batch = new ArrayList<>();
    int count = random.nextInt(maxRequests + 1);
    for (int i = 0; i < count; i++) {
      long offset = random.nextInt(content.length + 20_000);
      int bytes = 1 + random.nextInt(random.nextInt(8) == 0 ? 200_000 : 9_000);
      batch.add(new ReadRequest(file, offset, target(bytes)));
    }
    return batch;
  }

  void check(List<ReadRequest> batch, List<ReadResult> results) throws IOException {
    assertEquals(batch.size(), results.size());
    for (int i = 0; i < results.size(); i++) {
      ReadRequest request = batch.get(i);
      check(request.offsetBytes(), request.target(), results.get(i).bytesOrThrow());
    }
  }

  /** As many bytes as there are, and the right ones. */
  void check(long offsetBytes, MemorySegment target, int bytes) {
    long there = Math.max(0, content.length - offsetBytes);
    assertEquals(Math.min(target.byteSize(), there), bytes, () -> "at offset " + offsetBytes);
    if (bytes > 0) {
      MemorySegment expected = MemorySegment.ofArray(content).asSlice(offsetBytes, bytes);
      assertEquals(
          -1, target.asSlice(0, bytes).mismatch(expected), () -> "read at offset " + offsetBytes);
    }
  }

  /** The number of descriptors that this process has open. */
  static long openDescriptors() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  /** Collects results by tag. */
  static final class Results implements ReadHandler {
    final int[] bytes;
    final List<ErrnoException> failures = new ArrayList<>();
    int count;

    Results(int tags) {
      bytes = new int[tags];
      Arrays.fill(bytes, -1);
    }

    @Override
    public void completed(long tag, int done) {
      assertEquals(-1, bytes[(int) tag], () -> "tag " + tag + " came twice");
      bytes[(int) tag] = done;
      count++;
    }

    @Override
    public void failed(long tag, ErrnoException failure) {
      completed(tag, -2);
      failures.add(failure);
    }
  }
}
