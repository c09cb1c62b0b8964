package dev.tailwater.lab.memory;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of the cost of a copy for the work that comes after it on the same processor. Between
 * two walks through a working set, it copies a 256 KiB block four times, to the next places of a
 * staging buffer; it measures only the walk. The working set and the block fit into the
 * second-level cache of a processor with 2 MiB. With the lines that an ordinary copy brings in,
 * they do not.
 *
 * <p>Article 004 stages with non-temporal stores for this reason, and gives no figure.
 *
 * <p>{@code bench jmh CopyThenWorkBenchmark}; a minute. Compare the medians ({@code p0.50}) with
 * that of {@code copier=NONE}.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class CopyThenWorkBenchmark {
  private static final int BLOCK_BYTES = 256 * 1024;

  @Param public Copier copier = Copier.NONE;

  @Param({"524288", "1048576"})
  public int workingSetBytes;

  @Param("1048576")
  public int copiedBytes;

  private Staging staging = new Staging(BLOCK_BYTES);
  private Copier.Copy way = Copier.NONE.way();
  private PointerChase workingSet = new PointerChase(0);

  @Setup
  public void allocate() {
    way = copier.way();
    workingSet = new PointerChase(workingSetBytes);
  }

  /**
   * Copies before each walk. A walk takes so long that the timer calls of this level do not matter.
   */
  @Setup(Level.Invocation)
  public void copy() {
    staging.copy(way, copiedBytes);
  }

  @Benchmark
  public int walk() {
    return workingSet.walk();
  }
}
