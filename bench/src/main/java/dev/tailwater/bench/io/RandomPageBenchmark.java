package dev.tailwater.bench.io;

import dev.tailwater.io.FileRange;
import dev.tailwater.io.read.FileView;
import dev.tailwater.io.read.ReadMethod;
import dev.tailwater.io.read.ReadableFile;
import dev.tailwater.lab.measure.WorkDirectory;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Random pages of 4 KiB out of a resident file of 256 MiB: by a call for each, or by one mapping?
 * And what does it cost to ask how much of 1 MiB is resident, and which method suits it?
 *
 * <p>The articles did not measure this. {@code bench jmh RandomPageBenchmark}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Thread)
public class RandomPageBenchmark {
  private static final int FILE_BYTES = 256 << 20;
  private static final int PAGE_BYTES = 4096;
  private static final int PAGES = FILE_BYTES / PAGE_BYTES;

  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[] page = new byte[PAGE_BYTES];
  private final ByteBuffer heap = ByteBuffer.allocate(PAGE_BYTES);
  private Path path = Path.of("");

  @SuppressWarnings("NullAway.Init") // JMH calls open()
  private ReadableFile file;

  @SuppressWarnings("NullAway.Init") // JMH calls open()
  private FileView view;

  @SuppressWarnings("NullAway.Init") // JMH calls open()
  private FileChannel channel;

  @Setup
  public void open() throws IOException {
    byte[] content = new byte[FILE_BYTES];
    random.nextBytes(content);
    path = Files.createTempFile(WorkDirectory.path(), "random-page", ".bin");
    Files.write(path, content);
    file = ReadableFile.open(path);
    view = file.sharedView(new FileRange(0, FILE_BYTES)); // JMH ends in another thread
    channel = FileChannel.open(path);
  }

  @TearDown
  public void close() throws IOException {
    view.close();
    file.close();
    channel.close();
    Files.delete(path);
  }

  private long offset() {
    return (long) random.nextInt(PAGES) * PAGE_BYTES;
  }

  @Benchmark
  public int front() throws IOException {
    return file.read(offset(), page, 0, PAGE_BYTES);
  }

  @Benchmark
  public int critical() throws IOException {
    return file.read(offset(), page, 0, PAGE_BYTES, ReadMethod.CRITICAL);
  }

  @Benchmark
  public byte copiedFromView() throws IOException {
    view.copyTo(offset(), page, 0, PAGE_BYTES);
    return page[0];
  }

  @Benchmark
  public int channelIntoHeap() throws IOException {
    return channel.read(heap.clear(), offset());
  }

  @Benchmark
  public Object residencyOfMebibyte() throws IOException {
    return file.pageCache().residency(new FileRange(0, 1 << 20));
  }

  @Benchmark
  public Object choiceForMebibyte() throws IOException {
    return file.methodFor(new FileRange(0, 1 << 20));
  }
}
