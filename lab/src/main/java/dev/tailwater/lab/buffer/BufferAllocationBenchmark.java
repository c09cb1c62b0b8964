package dev.tailwater.lab.buffer;

import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.PooledBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of the cost of a buffer: from the heap, as direct memory, or from a pool.
 *
 * <p>Article 002 (2015, operations in a second, heap against direct): 8 KiB 2 018 841 and 183 090;
 * 64 KiB 266 632 and 22 689; 1 MiB 14 013 and 1 574.
 *
 * <p>{@code bench jmh BufferAllocationBenchmark}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class BufferAllocationBenchmark {
  @Param({"8192", "65536", "1048576"})
  public int sizeBytes;

  private final BufferPool pool = BufferPool.ofBound(4 << 20);

  @TearDown(Level.Trial)
  public void close() {
    pool.close();
  }

  /**
   * Takes a buffer that the thread does not share. The pool checks for use after release, by an
   * arena for each buffer.
   */
  @Benchmark
  public MemorySegment pool() throws InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", sizeBytes)) {
      return buffer.segment();
    }
  }

  @Benchmark
  public MemorySegment poolShared() throws InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", sizeBytes).share()) {
      return buffer.segment();
    }
  }

  /**
   * Allocates in the way that a pool without mmap(2) would use: a shared arena for each buffer,
   * freed at once.
   */
  @Benchmark
  public MemorySegment sharedArena() {
    try (Arena arena = Arena.ofShared()) {
      return arena.allocate(sizeBytes);
    }
  }

  /** Allocates as {@link #sharedArena} does, for a buffer that stays with its thread. */
  @Benchmark
  public MemorySegment confinedArena() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(sizeBytes);
    }
  }

  @Benchmark
  public ByteBuffer heap() {
    return ByteBuffer.allocate(sizeBytes);
  }

  @Benchmark
  public ByteBuffer direct() {
    return ByteBuffer.allocateDirect(sizeBytes);
  }
}
