package dev.tailwater.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Random;

/**
 * A program that writes logs: it appends lines to a few files and rotates each from time to time.
 * Single-threaded.
 */
public final class DemoWriter {
  private static final String[] NAMES = {"access", "error", "events"};
  private static final int LINES_PER_BURST = 200;
  private static final int BURST_MILLIS = 20;
  private static final int BURSTS_PER_ROTATION = 40;

  private final Path directory;
  private final Random random;
  private final OutputStream[] outputs = new OutputStream[NAMES.length];
  private final int[] generations = new int[NAMES.length];
  private long writtenBytes;
  private long rotations;

  /** Writes into an existing directory; the same seed writes the same lines. */
  public DemoWriter(Path directory, long seed) {
    this.directory = directory;
    this.random = new Random(seed);
  }

  /** What a writer has written. */
  public record Written(long files, long rotations, long bytes) {}

  /**
   * Writes until the input ends, because the process that started this one closes it or is gone.
   */
  public Written writeUntilEndOf(InputStream input) throws IOException, InterruptedException {
    for (int file = 0; file < NAMES.length; file++) {
      outputs[file] = open(file);
    }
    Thread.Builder waiting = Thread.ofVirtual().name("end-of-input");
    Thread end = waiting.start(() -> awaitEnd(input));
    for (int burst = 1; end.isAlive(); burst++) {
      int file = random.nextInt(NAMES.length);
      writeBurst(file);
      if (burst % BURSTS_PER_ROTATION == 0) {
        rotate(file);
      }
      Thread.sleep(BURST_MILLIS);
    }
    for (OutputStream output : outputs) {
      output.close();
    }
    return new Written(NAMES.length + rotations, rotations, writtenBytes);
  }

  private static void awaitEnd(InputStream input) {
    try {
      input.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeBurst(int file) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < LINES_PER_BURST; line++) {
      lines
          .append(Instant.now())
          .append(" host-")
          .append(random.nextInt(32))
          .append(" GET /item/")
          .append(Long.toHexString(random.nextLong()))
          .append(" 200 ")
          .append(random.nextInt(50_000))
          .append('\n');
    }
    byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
    outputs[file].write(bytes);
    writtenBytes += bytes.length;
  }

  /** {@code access.log.2} becomes {@code access.log.3}, and so on down to the file itself. */
  private void rotate(int file) throws IOException {
    outputs[file].close();
    for (int generation = generations[file]; generation >= 0; generation--) {
      Files.move(path(file, generation), path(file, generation + 1));
    }
    generations[file]++;
    rotations++;
    outputs[file] = open(file);
  }

  private OutputStream open(int file) throws IOException {
    return Files.newOutputStream(
        path(file, 0), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private Path path(int file, int generation) {
    String suffix = generation == 0 ? "" : "." + generation;
    return directory.resolve(NAMES[file] + ".log" + suffix);
  }
}
