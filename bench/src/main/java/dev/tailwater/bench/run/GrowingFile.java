package dev.tailwater.bench.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/**
 * A file that grows, and which of its bytes are not durable yet, since when. Written by one thread,
 * acknowledged by another.
 */
public final class GrowingFile implements AutoCloseable {
  private record Write(long endBytes, long nanos) {}

  private final OutputStream out;
  private final ArrayDeque<Write> visiblePending = new ArrayDeque<>();
  private final ArrayDeque<Write> durablePending = new ArrayDeque<>();
  private long sizeBytes;

  public GrowingFile(Path path) throws IOException {
    out = Files.newOutputStream(path);
  }

  /** Appends; the clock starts before the call that writes. */
  public void append(byte[] bytes) throws IOException {
    synchronized (this) {
      sizeBytes += bytes.length;
      Write write = new Write(sizeBytes, System.nanoTime());
      visiblePending.add(write);
      durablePending.add(write);
    }
    out.write(bytes);
  }

  /**
   * Everything before this offset is in objects that have their names.
   *
   * @param age is told how old each of these writes is, in nanoseconds
   */
  public synchronized void visible(long endBytes, long nowNanos, LongConsumer age) {
    acknowledge(visiblePending, endBytes, nowNanos, age);
  }

  /** As {@link #visible}, and the names are on the disk. */
  public synchronized void durable(long endBytes, long nowNanos, LongConsumer age) {
    acknowledge(durablePending, endBytes, nowNanos, age);
  }

  private static void acknowledge(
      ArrayDeque<Write> pending, long endBytes, long nowNanos, LongConsumer age) {
    while (!pending.isEmpty() && pending.getFirst().endBytes() <= endBytes) {
      age.accept(nowNanos - pending.removeFirst().nanos());
    }
  }

  public synchronized boolean isDurable() {
    return durablePending.isEmpty();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
