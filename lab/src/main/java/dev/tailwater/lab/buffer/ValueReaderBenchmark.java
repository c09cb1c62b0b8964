package dev.tailwater.lab.buffer;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.buffer.BufferPool;
import dev.tailwater.io.buffer.ByteSources;
import dev.tailwater.io.buffer.PooledBuffer;
import dev.tailwater.io.buffer.ValueReader;
import dev.tailwater.lab.measure.WorkDirectory;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
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
 * A benchmark of adding up the numbers of a 10 MiB file in the page cache: {@link ValueReader} over
 * a pooled buffer, compared with the loop over a direct and a heap buffer and the stream of the
 * article.
 *
 * <p>Article 002 (2015, files in a second, buffers of 8, 64, 256 KiB and 1 MiB): ints, little
 * endian: direct 222, 356, 363, 360; heap 116, 142, 164 (256 KiB); big endian: direct 202 to 317,
 * heap 111 to 162; streams 22. Doubles: direct 219 to 355, heap 110 to 139, streams 43 to 47.
 *
 * <p>Aims: {@code next} takes at most 1.2 times as long as {@code directBuffer}, and a tenth of
 * {@code dataInputStream}.
 *
 * <p>{@code bench jmh ValueReaderBenchmark}
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx512m", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class ValueReaderBenchmark {
  static final int FILE_BYTES = 10 << 20;

  private static final int PART_BYTES = 1 << 20;

  /**
   * The bytes of the file that are read without a buffer, which takes a system call for each value.
   */
  static final int UNBUFFERED_BYTES = 64 << 10;

  @Param({"8192", "65536", "262144", "1048576"})
  public int bufferBytes = 8192;

  @Param({"LITTLE", "BIG"})
  public String order = "LITTLE";

  private final Path file;
  private final BufferPool pool = BufferPool.ofBound(2 << 20);
  private final FileCalls calls = LinuxFileCalls.create();
  private final Descriptor descriptor;
  private final FileChannel channel;

  public ValueReaderBenchmark() {
    try {
      file = Files.createTempFile(WorkDirectory.path(), "values", ".bin");
      byte[] part = new byte[PART_BYTES];
      new Random(1).nextBytes(part);
      try (OutputStream out = Files.newOutputStream(file)) {
        for (int done = 0; done < FILE_BYTES; done += PART_BYTES) {
          out.write(part);
        }
      }
      descriptor = Descriptor.open(calls, FileCalls.AT_FDCWD, PosixPath.of(file), Set.of(), 0);
      channel = FileChannel.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    channel.close();
    descriptor.close();
    pool.close();
    Files.delete(file);
  }

  private ByteOrder byteOrder() {
    return order.equals("LITTLE") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  private ValueReader reader(PooledBuffer buffer) {
    return new ValueReader(ByteSources.of(descriptor, 0), byteOrder(), buffer.segment());
  }

  @Benchmark
  public long nextInt() throws IOException, InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", bufferBytes)) {
      ValueReader values = reader(buffer);
      long sum = 0;
      while (values.hasNext()) {
        sum += values.nextInt();
      }
      return sum;
    }
  }

  /** The sum to which the consumer adds. */
  private static final class Sum {
    private long ints;
    private double doubles;
  }

  @Benchmark
  public long forEachInt() throws IOException, InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", bufferBytes)) {
      Sum sum = new Sum();
      reader(buffer).forEachInt(value -> sum.ints += value);
      return sum.ints;
    }
  }

  @Benchmark
  public long readInts() throws IOException, InterruptedException {
    int[] chunk = new int[2048];
    try (PooledBuffer buffer = pool.acquire("benchmark", bufferBytes)) {
      ValueReader values = reader(buffer);
      long sum = 0;
      for (int count = values.read(chunk, 0, chunk.length);
          count > 0;
          count = values.read(chunk, 0, chunk.length)) {
        for (int i = 0; i < count; i++) {
          sum += chunk[i];
        }
      }
      return sum;
    }
  }

  @Benchmark
  public double nextDouble() throws IOException, InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", bufferBytes)) {
      ValueReader values = reader(buffer);
      double sum = 0;
      while (values.hasNext()) {
        sum += values.nextDouble();
      }
      return sum;
    }
  }

  @Benchmark
  public double forEachDouble() throws IOException, InterruptedException {
    try (PooledBuffer buffer = pool.acquire("benchmark", bufferBytes)) {
      Sum sum = new Sum();
      reader(buffer).forEachDouble(value -> sum.doubles += value);
      return sum.doubles;
    }
  }

  @Benchmark
  public long directBufferInt() throws IOException {
    return sumOfInts(cached(direct));
  }

  @Benchmark
  public long heapBufferInt() throws IOException {
    return sumOfInts(cached(heap));
  }

  @Benchmark
  public double directBufferDouble() throws IOException {
    return sumOfDoubles(cached(direct));
  }

  @Benchmark
  public double heapBufferDouble() throws IOException {
    return sumOfDoubles(cached(heap));
  }

  private final ByteBuffer direct = ByteBuffer.allocateDirect(1 << 20);
  private final ByteBuffer heap = ByteBuffer.allocate(1 << 20);

  /** Returns a buffer that is kept from run to run, as the article did with both kinds. */
  private ByteBuffer cached(ByteBuffer buffer) {
    return buffer.clear().limit(bufferBytes).slice().order(byteOrder());
  }

  private long sumOfInts(ByteBuffer buffer) throws IOException {
    long sum = 0;
    channel.position(0);
    while (channel.read(buffer.clear()) > 0) {
      buffer.flip();
      while (buffer.remaining() >= Integer.BYTES) {
        sum += buffer.getInt();
      }
    }
    return sum;
  }

  private double sumOfDoubles(ByteBuffer buffer) throws IOException {
    double sum = 0;
    channel.position(0);
    while (channel.read(buffer.clear()) > 0) {
      buffer.flip();
      while (buffer.remaining() >= Double.BYTES) {
        sum += buffer.getDouble();
      }
    }
    return sum;
  }

  /** Always big endian, the only order that a DataInputStream supports. */
  @Benchmark
  public long dataInputStreamInt() throws IOException {
    long sum = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), bufferBytes))) {
      for (int i = 0; i < FILE_BYTES / Integer.BYTES; i++) {
        sum += in.readInt();
      }
    }
    return sum;
  }

  /** Always big endian. */
  @Benchmark
  public double dataInputStreamDouble() throws IOException {
    double sum = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), bufferBytes))) {
      for (int i = 0; i < FILE_BYTES / Double.BYTES; i++) {
        sum += in.readDouble();
      }
    }
    return sum;
  }

  /** Always big endian, and only {@link #UNBUFFERED_BYTES} of the file. */
  @Benchmark
  public long unbufferedStreamInt() throws IOException {
    long sum = 0;
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int i = 0; i < UNBUFFERED_BYTES / Integer.BYTES; i++) {
        sum += in.readInt();
      }
    }
    return sum;
  }

  /** Always big endian, and only {@link #UNBUFFERED_BYTES} of the file. */
  @Benchmark
  public double unbufferedStreamDouble() throws IOException {
    double sum = 0;
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int i = 0; i < UNBUFFERED_BYTES / Double.BYTES; i++) {
        sum += in.readDouble();
      }
    }
    return sum;
  }
}
