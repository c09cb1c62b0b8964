package dev.tailwater.lab.measure;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the tests of forked benchmarks run. */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ForksBenchmark {
  @Param({"1", "50"})
  public int micros;

  @Benchmark
  @Group("waiting")
  public void one() {
    await(micros);
  }

  @Benchmark
  @Group("waiting")
  public void ten() {
    await(10L * micros);
  }

  @Benchmark
  @Group("broken")
  public void broken() {
    throw new IllegalStateException("no such thing as " + micros);
  }

  @Benchmark
  @Group("ending")
  public void ending() {
    Runtime.getRuntime().halt(3);
  }

  /** Tells the options of its JVM by failing. */
  @Benchmark
  @Group("options")
  public void options() {
    throw new IllegalStateException(
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
  }

  /** Run by itself it would have a large heap. */
  @Benchmark
  @Group("heap")
  @Fork(jvmArgsAppend = "-Xmx300m")
  public void heap() {
    if (Runtime.getRuntime().maxMemory() > 100 << 20) {
      throw new IllegalStateException("the heap is that of the annotation");
    }
    await(micros);
  }

  private static void await(long waitMicros) {
    long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(waitMicros);
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
