package dev.tailwater.bench.file;

import com.sun.management.OperatingSystemMXBean;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.async.RandomFile;
import dev.tailwater.io.async.RandomReads;
import dev.tailwater.io.async.ReadHandler;
import dev.tailwater.io.async.ReadQueue;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Reads blocks of a file in a random order, none twice, as fast as a {@link ReadQueue} does. */
final class RandomReadRun {
  private final FileCalls calls;
  private final Path path;
  private final int blockBytes;

  /** The blocks, shuffled; every run goes on where the last one stopped. */
  private final int[] order;

  private int next;

  RandomReadRun(FileCalls calls, Path path, int blockBytes, int[] order) {
    this.calls = calls;
    this.path = path;
    this.blockBytes = blockBytes;
    this.order = order;
  }

  /** With the page cache of the file empty before. */
  RandomReadCost run(RandomReads reads, int depth, boolean direct, int seconds) throws IOException {
    Set<OpenFlag> flags = direct ? EnumSet.of(OpenFlag.DIRECT) : EnumSet.noneOf(OpenFlag.class);
    try (Descriptor descriptor =
            Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(path), flags, 0);
        Arena arena = Arena.ofShared();
        ReadQueue queue = reads.openQueue()) {
      calls.fadvise(descriptor.fd(), 0, 0, Advice.DONT_NEED);
      MemorySegment memory = arena.allocate((long) depth * blockBytes, blockBytes);
      return measured(new Stream(queue, RandomFile.of(descriptor), memory), depth, seconds);
    }
  }

  private static RandomReadCost measured(Stream stream, int depth, int seconds)
      throws ErrnoException {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long processorNanos = process.getProcessCpuTime();
    long startNanos = System.nanoTime();
    long endNanos = startNanos + TimeUnit.SECONDS.toNanos(seconds);
    for (int i = 0; i < depth; i++) {
      stream.submit(i);
    }
    while (System.nanoTime() < endNanos) {
      stream.queue.awaitSome(stream);
    }
    double passedSeconds = (System.nanoTime() - startNanos) / 1e9;
    processorNanos = process.getProcessCpuTime() - processorNanos;
    return new RandomReadCost(stream.reads / passedSeconds, processorNanos / 1e3 / stream.reads);
  }

  /** Keeps the queue full: each target that becomes free gets the next block. */
  private final class Stream implements ReadHandler {
    private final ReadQueue queue;
    private final RandomFile file;
    private final MemorySegment[] targets;
    private long reads;

    Stream(ReadQueue queue, RandomFile file, MemorySegment memory) {
      this.queue = queue;
      this.file = file;
      this.targets = new MemorySegment[queue.depth()];
      for (int i = 0; i < targets.length; i++) {
        targets[i] = memory.asSlice((long) i * blockBytes, blockBytes);
      }
    }

    void submit(int target) {
      queue.submit(file, (long) order[next] * blockBytes, targets[target], target);
      next = (next + 1) % order.length;
    }

    @Override
    public void completed(long tag, int bytes) {
      if (bytes != blockBytes) {
        throw new IllegalStateException(bytes + " bytes read of a block of " + blockBytes);
      }
      reads++;
      submit((int) tag);
    }

    @Override
    public void failed(long tag, ErrnoException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
