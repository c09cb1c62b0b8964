package dev.tailwater.bench.io;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to get a buffer: from the heap, or as direct memory?
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

  @Benchmark
  public ByteBuffer heap() {
    return ByteBuffer.allocate(sizeBytes);
  }

  @Benchmark
  public ByteBuffer direct() {
    return ByteBuffer.allocateDirect(sizeBytes);
  }
}
