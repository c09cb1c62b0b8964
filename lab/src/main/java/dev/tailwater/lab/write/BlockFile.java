package dev.tailwater.lab.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.read.PageCache;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.BlockWriterOptions;
import dev.tailwater.io.write.WriteTrait;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.Advice;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.EnumSet;

/** A file that is written repeatedly, in chunks. For one thread. */
public final class BlockFile implements AutoCloseable {
  private static final int WHOLE_CHUNK_BYTES = 1 << 20;

  /**
   * The attempts to drop the file, since pages that were just written may still be in use for a
   * moment.
   */
  private static final int DROP_ATTEMPTS = 20;

  /** The state of the file before it is written. */
  public enum State {
    APPEND,
    OVERWRITE_COLD,
    OVERWRITE_WARM
  }

  /** The method of writing. */
  public enum Way {
    /** Plain writes with RandomAccessFile, as in article 001. */
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
   * One writing of the whole file.
   *
   * @param millis of the writes and the close
   * @param processorMillis of this thread, in the program and in the kernel
   * @param durableMillis until all bytes are durable
   * @param read what was read from the disk meanwhile
   */
  public record Measured(
      double millis, double processorMillis, double durableMillis, DiskReads read) {}

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final FileCalls calls;
  private final DiskReads.Counter counter;
  private final long sizeBytes;
  private final Descriptor file;

  /**
   * Creates the file.
   *
   * @param counter of the disk on which the directory is
   */
  public BlockFile(FileCalls calls, Path directory, DiskReads.Counter counter, long sizeBytes)
      throws IOException {
    this.calls = calls;
    this.counter = counter;
    this.sizeBytes = sizeBytes;
    this.file =
        Descriptor.open(
            calls,
            NameCalls.AT_FDCWD,
            PosixPath.of(directory).resolve("test.dat"),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
            0600);
    try {
      // Finding free blocks reads metadata the first time, so do it before anything is measured.
      writeAll(Way.BLOCK_WRITER, WHOLE_CHUNK_BYTES);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Returns whether the file can be dropped from the page cache; on tmpfs, it cannot. */
  boolean canBeCold() throws IOException {
    calls.fsync(file.fd());
    return drop();
  }

  /** Returns whether reads of the disk are counted. */
  boolean countsReads() throws IOException {
    return counter.now().bytes().isPresent();
  }

  /** Writes the whole file once, in chunks of the given size. */
  public Measured measure(State state, Way way, int chunkBytes) throws IOException {
    prepare(state);
    DiskReads before = counter.now();
    long processorStartNanos = threads.getCurrentThreadCpuTime();
    long startNanos = System.nanoTime();
    writeAll(way, chunkBytes);
    double millis = (System.nanoTime() - startNanos) / 1e6;
    double processorMillis = (threads.getCurrentThreadCpuTime() - processorStartNanos) / 1e6;
    calls.fdatasync(file.fd());
    double durableMillis = (System.nanoTime() - startNanos) / 1e6;
    return new Measured(millis, processorMillis, durableMillis, counter.now().since(before));
  }

  private void prepare(State state) throws IOException {
    switch (state) {
      case APPEND -> calls.truncate(file.fd(), 0);
      case OVERWRITE_COLD -> {
        calls.fsync(file.fd());
        if (!drop()) {
          throw new IOException("not all pages of " + file.path() + " could be dropped");
        }
      }
      case OVERWRITE_WARM -> writeAll(Way.BLOCK_WRITER, WHOLE_CHUNK_BYTES);
    }
    calls.fsync(file.fd());
  }

  private boolean drop() throws IOException {
    PageCache cache = PageCache.of(file);
    for (int attempt = 0; attempt < DROP_ATTEMPTS; attempt++) {
      calls.fadvise(file.fd(), 0, 0, Advice.DONT_NEED);
      if (cache.residency(cache.wholeFile()).none()) {
        return true;
      }
    }
    return false;
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

  private void writePlainly(byte[] chunk) throws IOException {
    try (RandomAccessFile plain = new RandomAccessFile(file.path().toPath().toFile(), "rw")) {
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
