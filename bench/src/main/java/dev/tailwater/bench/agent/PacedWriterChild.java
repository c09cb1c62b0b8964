package dev.tailwater.bench.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * A program that appends to a log at a rate, a hundred times a second, out of a file of lines that
 * it has in memory, so that it costs little more than its system calls. Each line on its standard
 * input is the path of the log to go on with, or {@code -}; the answer is how many bytes it has
 * written to the one before.
 */
public final class PacedWriterChild {
  private static final int SLICES_PER_SECOND = 100;

  private PacedWriterChild() {}

  private static final class Log {
    private final ByteBuffer lines;
    private final int sliceBytes;
    private FileChannel out;
    private long writtenBytes;

    Log(ByteBuffer lines, int sliceBytes, FileChannel out) {
      this.lines = lines;
      this.sliceBytes = sliceBytes;
      this.out = out;
    }

    synchronized void writeSlice() throws IOException {
      if (lines.remaining() < sliceBytes) {
        lines.rewind();
      }
      ByteBuffer slice = lines.slice(lines.position(), sliceBytes);
      lines.position(lines.position() + sliceBytes);
      while (slice.hasRemaining()) {
        writtenBytes += out.write(slice);
      }
    }

    synchronized long goOn(String path) throws IOException {
      long before = writtenBytes;
      if (!path.equals("-")) {
        out.close();
        out = open(path);
        writtenBytes = 0;
      }
      return before;
    }
  }

  private static FileChannel open(String path) throws IOException {
    return FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  public static void main(String[] arguments) throws IOException {
    ByteBuffer lines;
    try (FileChannel in = FileChannel.open(Path.of(arguments[0]))) {
      lines = in.map(FileChannel.MapMode.READ_ONLY, 0, in.size());
    }
    int sliceBytes = Integer.parseInt(arguments[1]) / SLICES_PER_SECOND;
    Log log = new Log(lines, sliceBytes, open(arguments[2]));
    Thread.ofPlatform().daemon(true).start(() -> write(log));
    try (BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String path = questions.readLine(); path != null; path = questions.readLine()) {
        System.out.println(log.goOn(path));
      }
    }
  }

  private static void write(Log log) {
    long sliceNanos = TimeUnit.SECONDS.toNanos(1) / SLICES_PER_SECOND;
    try {
      for (long dueNanos = System.nanoTime(); ; dueNanos += sliceNanos) {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, dueNanos - System.nanoTime()));
        log.writeSlice();
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing has failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
