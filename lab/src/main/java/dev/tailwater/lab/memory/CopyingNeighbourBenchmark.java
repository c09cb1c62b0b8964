package dev.tailwater.lab.memory;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of the effect of constant copying on a thread on another processor, which works in
 * its own cache or in its share of the last-level cache. One thread copies 1 MiB blocks into a
 * staging buffer at a given rate, which is the same for all ways of copying. The other thread walks
 * through its working set, and each walk is measured ({@code ...:walk}). {@code ...:copy} only
 * shows that the rate is kept.
 *
 * <p>Article 004 stages with non-temporal stores for this reason, and gives no figure.
 *
 * <p>{@code bench jmh CopyingNeighbourBenchmark}; a minute and a half. Compare the medians ({@code
 * p0.50}) with that of {@code copier=NONE}. Needs two processors that do nothing else.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Group)
public class CopyingNeighbourBenchmark {
  private static final int BLOCK_BYTES = 1024 * 1024;

  /** The length of a walk, short enough that other processes interrupt only a few walks. */
  static final int WALKED_LINES = 4096;

  @Param public Copier copier = Copier.NONE;

  @Param({"1048576", "33554432"})
  public int workingSetBytes;

  /** The rate of the copies, somewhat less than the slowest of the ways can do. */
  static final int MEBIBYTES_PER_SECOND = 4096;

  @Param("" + MEBIBYTES_PER_SECOND)
  public int mebibytesPerSecond;

  private final Staging staging = new Staging(BLOCK_BYTES);
  private Copier.Copy way = Copier.NONE.way();
  private PointerChase workingSet = new PointerChase(0);
  private long dueNanos;

  @Setup
  public void allocate() {
    way = copier.way();
    workingSet = new PointerChase(workingSetBytes);
    dueNanos = System.nanoTime();
  }

  @Benchmark
  @Group
  public void copy() {
    while (System.nanoTime() - dueNanos < 0) {
      Thread.onSpinWait();
    }
    // After a pause, the missed copies are not made up for.
    dueNanos =
        Math.max(dueNanos, System.nanoTime() - 1_000_000)
            + TimeUnit.SECONDS.toNanos(1) / mebibytesPerSecond;
    staging.copy(way, BLOCK_BYTES);
  }

  @Benchmark
  @Group
  public int walk() {
    return workingSet.walk(WALKED_LINES);
  }
}
