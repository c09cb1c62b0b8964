package dev.tailwater.it;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes numbered lines to a log as fast as told, and opens the log anew when its name leads to
 * another file, as a program does that is rotated.
 */
final class LineWriter implements AutoCloseable {
  private static final int LINES_AT_ONCE = 20;

  private final Path log;
  private final AtomicLong lines = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile String failure = "";

  LineWriter(Path log) {
    this.log = log;
    this.thread = Thread.ofPlatform().name("line-writer").start(this::run);
  }

  /** How many lines were written. */
  long lines() {
    return lines.get();
  }

  static String line(long number) {
    return "line " + number + " of a program that is under load\n";
  }

  private void run() {
    try {
      while (!stopped) {
        writeUntilRotated();
      }
    } catch (IOException | InterruptedException e) {
      failure = e.toString();
    }
  }

  private void writeUntilRotated() throws IOException, InterruptedException {
    try (OutputStream out =
        Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      Object file = inode();
      while (!stopped && file.equals(inode())) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES_AT_ONCE; i++) {
          text.append(line(lines.get() + i));
        }
        out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        lines.addAndGet(LINES_AT_ONCE);
        Thread.sleep(1);
      }
    }
  }

  private Object inode() throws IOException {
    try {
      return Files.getAttribute(log, "unix:ino");
    } catch (NoSuchFileException e) {
      return "none";
    }
  }

  /** Waits until so many more lines are written. */
  void awaitMore(long more) throws Exception {
    long goal = lines.get() + more;
    Site.await("lines are written", () -> lines.get() >= goal || !failure.isEmpty());
  }

  /** Ends the writer; throws when it has failed. */
  void finish() throws InterruptedException {
    stopped = true;
    thread.join();
    if (!failure.isEmpty()) {
      throw new AssertionError("the writer failed: " + failure);
    }
  }

  /** Nothing is written from now on. */
  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
