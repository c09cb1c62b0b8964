package dev.tailwater.bench.io;

import dev.tailwater.io.FileRange;
import dev.tailwater.io.read.FileView;
import dev.tailwater.io.read.ReadMethod;
import dev.tailwater.io.read.ReadableFile;
import dev.tailwater.lab.measure.WorkDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
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

/**
 * What does it cost to get the bytes of a resident file, by each way, by size?
 *
 * <p>Article 004: a critical read straight into the array is 25 % faster than the JDK's ways; 5.5
 * GB take 0.72 s by it and 0.82 s with mmap and munmap, of which page faults are 22 %.
 *
 * <p>{@code view} looks at one long of each page through a mapping and unmaps it again; all others
 * leave the bytes in memory of the program.
 *
 * <p>{@code bench jmh ReadMethodBenchmark}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Thread)
public class ReadMethodBenchmark {
  private static final int PAGE_BYTES = 4096;

  @Param({"4096", "16384", "65536", "262144", "1048576", "8388608", "67108864"})
  public int sizeBytes;

  private Path path = Path.of("");
  private byte[] array = new byte[0];
  private ByteBuffer heap = ByteBuffer.allocate(0);
  private ByteBuffer direct = ByteBuffer.allocate(0);

  @SuppressWarnings("NullAway.Init") // JMH calls open()
  private ReadableFile file;

  @SuppressWarnings("NullAway.Init") // JMH calls open()
  private FileChannel channel;

  @Setup
  public void open() throws IOException {
    array = new byte[sizeBytes];
    new SplittableRandom(1).nextBytes(array);
    path = Files.createTempFile(WorkDirectory.path(), "read-method", ".bin");
    Files.write(path, array);
    heap = ByteBuffer.allocate(sizeBytes);
    direct = ByteBuffer.allocateDirect(sizeBytes);
    file = ReadableFile.open(path);
    channel = FileChannel.open(path);
  }

  @TearDown
  public void close() throws IOException {
    file.close();
    channel.close();
    Files.delete(path);
  }

  @Benchmark
  public int front() throws IOException {
    return file.read(0, array, 0, sizeBytes);
  }

  @Benchmark
  public int critical() throws IOException {
    return file.read(0, array, 0, sizeBytes, ReadMethod.CRITICAL);
  }

  @Benchmark
  public int pooled() throws IOException {
    return file.read(0, array, 0, sizeBytes, ReadMethod.POOLED);
  }

  @Benchmark
  public int mapped() throws IOException {
    return file.read(0, array, 0, sizeBytes, ReadMethod.MAPPED);
  }

  @Benchmark
  public long view() throws IOException {
    try (FileView view = file.view(new FileRange(0, sizeBytes), ReadMethod.MAPPED)) {
      return view.use(
          bytes -> {
            long sum = 0;
            for (long at = 0; at < bytes.byteSize(); at += PAGE_BYTES) {
              sum += bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            }
            return sum;
          });
    }
  }

  @Benchmark
  public int channelIntoHeap() throws IOException {
    return channel.read(heap.clear(), 0);
  }

  @Benchmark
  public int channelIntoDirect() throws IOException {
    return channel.read(direct.clear(), 0);
  }

  @Benchmark
  public int inputStream() throws IOException {
    try (InputStream stream = Files.newInputStream(path)) {
      return stream.readNBytes(array, 0, sizeBytes);
    }
  }
}
