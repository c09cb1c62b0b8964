package dev.tailwater.bench;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.io.write.WriteTrait;
import dev.tailwater.posix.Advice;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.LinuxFileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.OpenFlag;
import dev.tailwater.posix.testkit.DiskStatistics;
import dev.tailwater.posix.testkit.MountedFileSystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumSet;

/** One file on a file system of its own, written again and again. */
final class BlocksFile implements AutoCloseable {
  /** What the file is like before it is written. */
  enum State {
    APPEND,
    OVERWRITE_COLD,
    OVERWRITE_WARM
  }

  /** Who writes it. */
  enum Way {
    PLAIN,
    BLOCK_WRITER,
    PREALLOCATING,
    DROPPING_BEHIND,
    DIRECT,
    DIRECT_1_MIB,
    DURABLE_WRITES;

    private BlockWriterOptions options() {
      BlockWriterOptions usual = BlockWriterOptions.defaults();
      return switch (this) {
        case PLAIN, BLOCK_WRITER -> usual;
        case PREALLOCATING -> usual.withPreallocateBytes(16 << 20);
        case DROPPING_BEHIND -> usual.with(WriteTrait.DROP_BEHIND);
        case DIRECT -> usual.with(WriteTrait.DIRECT);
        case DIRECT_1_MIB -> usual.withWriteBytes(1 << 20).with(WriteTrait.DIRECT);
        case DURABLE_WRITES -> usual.with(WriteTrait.DURABLE_WRITES);
      };
    }
  }

  /**
   * @param millis of the writes and the close
   * @param processorMillis of this thread, in the program and in the kernel
   * @param durableMillis until all is durable
   */
  record Measured(
      double millis, double processorMillis, double durableMillis, long reads, long readBytes) {}

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final FileCalls calls = LinuxFileCalls.create();
  private final MountedFileSystem mounted;
  private final Descriptor file;
  private final long sizeBytes;

  BlocksFile(MountedFileSystem mounted, long sizeBytes) throws IOException {
    this.mounted = mounted;
    this.sizeBytes = sizeBytes;
    this.file =
        Descriptor.open(
            calls,
            NameCalls.AT_FDCWD,
            mounted.path().resolve("test.dat"),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
            0600);
    writeAll(Way.BLOCK_WRITER, 1 << 20); // finding free blocks reads metadata, the first time
  }

  Measured measure(State state, Way way, int chunkBytes) throws IOException {
    prepare(state);
    DiskStatistics before = mounted.diskStatistics();
    long processorStartNanos = threads.getCurrentThreadCpuTime();
    long startNanos = System.nanoTime();
    writeAll(way, chunkBytes);
    double millis = (System.nanoTime() - startNanos) / 1e6;
    double processorMillis = (threads.getCurrentThreadCpuTime() - processorStartNanos) / 1e6;
    calls.fdatasync(file.fd());
    double durableMillis = (System.nanoTime() - startNanos) / 1e6;
    DiskStatistics asked = mounted.diskStatistics().since(before);
    return new Measured(millis, processorMillis, durableMillis, asked.reads(), asked.readBytes());
  }

  private void prepare(State state) throws IOException {
    switch (state) {
      case APPEND -> calls.truncate(file.fd(), 0);
      case OVERWRITE_COLD -> {
        calls.fsync(file.fd());
        calls.fadvise(file.fd(), 0, 0, Advice.DONT_NEED);
        long left = calls.cachestat(file.fd(), 0, 0).cachedPages();
        if (left != 0) {
          throw new IOException(left + " pages of " + file.path() + " could not be dropped");
        }
      }
      case OVERWRITE_WARM -> writeAll(Way.BLOCK_WRITER, 1 << 20);
    }
    calls.fsync(file.fd());
  }

  private void writeAll(Way way, int chunkBytes) throws IOException {
    byte[] chunk = new byte[chunkBytes];
    if (way == Way.PLAIN) {
      writePlainly(chunk);
      return;
    }
    try (BlockWriter writer = BlockWriter.over(file, 0, way.options())) {
      for (long left = sizeBytes; left > 0; left -= chunk.length) {
        writer.write(chunk, 0, (int) Math.min(chunk.length, left));
      }
      if (!writer.fallbacks().isEmpty()) {
        throw new IOException(way + " cannot be measured here: " + writer.fallbacks());
      }
    }
  }

  /** As the article did it. */
  private void writePlainly(byte[] chunk) throws IOException {
    try (RandomAccessFile plain = new RandomAccessFile(file.path().toString(), "rw")) {
      for (long left = sizeBytes; left > 0; left -= chunk.length) {
        plain.write(chunk, 0, (int) Math.min(chunk.length, left));
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
