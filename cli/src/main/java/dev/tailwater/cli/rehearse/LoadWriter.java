package dev.tailwater.cli.rehearse;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A writer that appends lines like those of an access log to some files, at a steady rate, until it
 * is closed. Thread-safe.
 */
final class LoadWriter implements AutoCloseable {
  private static final long TICK_MILLIS = 20;

  /** More than the window of zstd, so that it sees no repetition of the text. */
  private static final int TEXT_BYTES = 8 << 20;

  private final Path directory;
  private final RehearsalPlan plan;
  private final byte[] text;
  private final AtomicLong writtenBytes = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile Optional<IOException> failure = Optional.empty();

  private LoadWriter(Path directory, RehearsalPlan plan, Text text) {
    this.directory = directory;
    this.plan = plan;
    this.text = text.bytes;
    this.thread = Thread.ofPlatform().name("load").daemon(true).unstarted(this::run);
  }

  /** Begins to write files into a directory, which exists. */
  static LoadWriter start(Path directory, RehearsalPlan plan, Text text) {
    LoadWriter writer = new LoadWriter(directory, plan, text);
    writer.thread.start();
    return writer;
  }

  /** The text that is written repeatedly; the writers of several scenes can share it. */
  static final class Text {
    private final byte[] bytes;

    Text(long seed) {
      this.bytes = text(seed);
    }
  }

  private static byte[] text(long seed) {
    Random random = new Random(seed);
    StringBuilder lines = new StringBuilder(TEXT_BYTES + 200);
    while (lines.length() < TEXT_BYTES) {
      lines
          .append("10.")
          .append(random.nextInt(4))
          .append('.')
          .append(random.nextInt(256))
          .append('.')
          .append(random.nextInt(256))
          .append(" - - \"GET /item/")
          .append(Long.toHexString(random.nextLong()))
          .append(" HTTP/1.1\" ")
          .append(random.nextInt(20) == 0 ? 404 : 200)
          .append(' ')
          .append(random.nextInt(50_000))
          .append(" \"Mozilla/5.0 (X11; Linux x86_64)\"\n");
    }
    return lines.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void run() {
    List<OutputStream> outputs = new ArrayList<>();
    try {
      for (int file = 0; file < plan.files(); file++) {
        String name = String.format(Locale.ROOT, "%03d.log", file);
        outputs.add(Files.newOutputStream(directory.resolve(name)));
      }
      write(outputs);
    } catch (IOException e) {
      failure = Optional.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      outputs.forEach(LoadWriter::close);
    }
  }

  private void write(List<OutputStream> outputs) throws IOException, InterruptedException {
    long startNanos = System.nanoTime();
    int at = 0;
    for (int tick = 0; !stopped; tick++) {
      double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
      long dueBytes = (long) (plan.rateBytesPerSecond() * seconds) - writtenBytes.get();
      OutputStream output = outputs.get(tick % outputs.size());
      while (dueBytes > 0 && !stopped) {
        int piece = (int) Math.min(dueBytes, text.length - at);
        output.write(text, at, piece);
        writtenBytes.addAndGet(piece);
        at = (at + piece) % text.length;
        dueBytes -= piece;
      }
      Thread.sleep(Math.max(1, TICK_MILLIS / outputs.size()));
    }
  }

  private static void close(OutputStream output) {
    try {
      output.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of all writes that have returned. */
  long writtenBytes() {
    return writtenBytes.get();
  }

  /**
   * Stops writing, and waits until it has ended.
   *
   * @throws IOException writing has failed
   */
  void stop() throws IOException, InterruptedException {
    stopped = true;
    thread.join();
    if (failure.isPresent()) {
      throw new IOException(
          "the rehearsal cannot write: " + failure.get().getMessage(), failure.get());
    }
  }

  @Override
  public void close() {
    stopped = true;
  }
}
