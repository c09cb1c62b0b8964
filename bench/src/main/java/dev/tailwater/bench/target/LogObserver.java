package dev.tailwater.bench.target;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sees segments appear at a server that logs each request when it has answered it, such as Azurite.
 * The log is looked at every half millisecond.
 */
final class LogObserver implements SegmentObserver {
  private static final long LOOK_EVERY_MICROS = 500;

  /** A whole object, or the list of its blocks; the blocks themselves are no object yet. */
  private static final Pattern PUT =
      Pattern.compile("\"PUT (\\S+?)(\\?(?!\\S*comp=block(&|\\s))\\S*)? HTTP/1.1\" 201 ");

  private final FileChannel log;
  private final Listener listener;
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final StringBuilder text = new StringBuilder();
  private final Thread thread = new Thread(this::run, "observer");
  private volatile boolean closed;

  /** Looks at what is logged from now on. */
  LogObserver(Path log, Listener listener) throws IOException {
    this.log = FileChannel.open(log, StandardOpenOption.READ);
    this.log.position(this.log.size());
    this.listener = listener;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    try {
      while (!closed) {
        if (log.read(buffer) > 0) {
          long nowNanos = System.nanoTime();
          text.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
          buffer.clear();
          for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
            see(text.substring(0, end), nowNanos);
            text.delete(0, end + 1);
          }
        } else {
          TimeUnit.MICROSECONDS.sleep(LOOK_EVERY_MICROS);
        }
      }
    } catch (IOException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void see(String line, long nowNanos) {
    Matcher put = PUT.matcher(line);
    if (!put.find()) {
      return;
    }
    Optional<SegmentName> segment = SegmentName.of(Path.of(URI.create(put.group(1)).getPath()));
    if (segment.isPresent()) {
      String fileName = segment.get().fileName();
      listener.segment(fileName, segment.get().endBytes(), false, nowNanos);
      listener.segment(fileName, segment.get().endBytes(), true, nowNanos);
    }
  }

  @Override
  public void requireHealthy() throws IOException {
    if (failure.get() != null) {
      throw new IOException("observing failed", failure.get());
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      log.close();
    }
  }
}
