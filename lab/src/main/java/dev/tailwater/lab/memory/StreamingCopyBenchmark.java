package dev.tailwater.lab.memory;

import dev.tailwater.io.copy.StreamingCopy;
import dev.tailwater.posix.MemoryCalls;
import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A benchmark of ways to copy a block, with a target in the cache (the same one again and again)
 * and with one that is not (the next place of 512 MiB, as in a staging buffer that was sent
 * meanwhile). The source is the same block each time, and so as hot as its size allows. Compare the
 * medians ({@code p0.50}) if others use the machine too.
 *
 * <p>Between arrays: {@link #arraycopy}, {@link #streaming}. Between native segments, where a copy
 * is one call whatever its length: {@link #segmentCopy}, {@link #memcpy} of the C library (which
 * uses non-temporal stores itself from some length on), {@link #streamingNative}.
 *
 * <p>Article 004 (one core, C, memcpy of glibc 2.27 against System.arraycopy): memcpy ahead by
 * 10–15 % at 8–128 KiB and by 60–90 % at large sizes; it uses {@code rep movsb} from 4 KiB on and
 * non-temporal stores from 6 MB on.
 *
 * <p>{@code bench jmh StreamingCopyBenchmark}; three minutes. Less: {@code -p sizeBytes=131072}.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 1, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class StreamingCopyBenchmark {
  private static final List<String> BETWEEN_ARRAYS = List.of(".arraycopy", ".streaming");
  private static final long TARGET_BYTES = 512L * 1024 * 1024;

  /** Whether the target's lines are in the cache before a copy. */
  public enum Target {
    HOT,
    COLD
  }

  @Param({"8192", "32768", "131072", "1048576", "8388608", "67108864"})
  public int sizeBytes;

  @Param public Target target = Target.COLD;

  private final StreamingCopy streaming = StreamingCopy.load();
  private final MemoryCalls libc = LinuxMemoryCalls.create(CopyEngine.MEMCPY);
  private final Arena arena = Arena.ofShared();
  private byte[] sourceArray = {};
  private byte[] targetArray = {};
  private MemorySegment sourceSegment = MemorySegment.NULL;
  private MemorySegment targetSegment = MemorySegment.NULL;
  private long roomBytes;
  private long next;

  /**
   * Allocates memory that all iterations share, because touching it takes longer than measuring.
   */
  @Setup
  public void allocate(BenchmarkParams benchmark) {
    roomBytes = target == Target.HOT ? sizeBytes : TARGET_BYTES;
    if (BETWEEN_ARRAYS.stream().anyMatch(benchmark.getBenchmark()::endsWith)) {
      sourceArray = new byte[sizeBytes];
      targetArray = new byte[(int) roomBytes];
    } else {
      sourceSegment = arena.allocate(sizeBytes, 64).fill((byte) 1);
      targetSegment = arena.allocate(roomBytes, 64).fill((byte) 1);
    }
  }

  @TearDown
  public void free() {
    arena.close();
  }

  private long place() {
    long place = next;
    next = place + 2L * sizeBytes > roomBytes ? 0 : place + sizeBytes;
    return place;
  }

  @Benchmark
  public void arraycopy() {
    System.arraycopy(sourceArray, 0, targetArray, (int) place(), sizeBytes);
  }

  @Benchmark
  public void streaming() {
    streaming.copy(sourceArray, 0, targetArray, (int) place(), sizeBytes);
  }

  @Benchmark
  public void segmentCopy() {
    MemorySegment.copy(sourceSegment, 0, targetSegment, place(), sizeBytes);
  }

  @Benchmark
  public void memcpy() {
    libc.copy(sourceSegment, targetSegment.asSlice(place(), sizeBytes));
  }

  @Benchmark
  public void streamingNative() {
    streaming.copy(sourceSegment, 0, targetSegment, place(), sizeBytes);
  }
}
