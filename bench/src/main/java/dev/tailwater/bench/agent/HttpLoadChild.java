package dev.tailwater.bench.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load generator for one page of a web server: connections that stay open and ask again as soon
 * as they have the answer, or, with a rate, at times fixed beforehand, from which latencies count.
 * For each line on its standard input it answers how many answers came since the last, in how many
 * nanoseconds, and their latencies' median and 99th percentile in nanoseconds.
 */
public final class HttpLoadChild {
  private static final byte[] REQUEST =
      "GET /page.txt HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int BUFFER_BYTES = 64 * 1024;

  private final int port;
  private final long intervalNanos;
  private final long startNanos = System.nanoTime();
  private final AtomicLong asked = new AtomicLong();
  private List<Long> latenciesNanos = new ArrayList<>();
  private long windowNanos = startNanos;

  private HttpLoadChild(int port, long ratePerSecond) {
    this.port = port;
    this.intervalNanos = ratePerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / ratePerSecond;
  }

  public static void main(String[] arguments) throws IOException {
    HttpLoadChild load =
        new HttpLoadChild(Integer.parseInt(arguments[0]), Long.parseLong(arguments[2]));
    int connections = Integer.parseInt(arguments[1]);
    for (int i = 0; i < connections; i++) {
      Thread.ofPlatform().daemon(true).start(load::ask);
    }
    try (BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (questions.readLine() != null) {
        System.out.println(load.window());
      }
    }
  }

  private void ask() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      byte[] buffer = new byte[BUFFER_BYTES];
      while (true) {
        long dueNanos = await();
        socket.getOutputStream().write(REQUEST);
        readAnswer(socket.getInputStream(), buffer);
        record(System.nanoTime() - dueNanos);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the server has gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long await() throws InterruptedException {
    if (intervalNanos == 0) {
      return System.nanoTime();
    }
    long dueNanos = startNanos + asked.getAndIncrement() * intervalNanos;
    TimeUnit.NANOSECONDS.sleep(Math.max(0, dueNanos - System.nanoTime()));
    return dueNanos;
  }

  /** To the last chunk: the body is compressed while it is sent, so nobody says how long it is. */
  private static void readAnswer(InputStream in, byte[] buffer) throws IOException {
    int end = 0;
    while (true) {
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        throw new IOException("the answer ends early");
      }
      end += read;
      if (endsWithEnd(buffer, end)) {
        return;
      }
      if (end == buffer.length) {
        System.arraycopy(buffer, end - END.length, buffer, 0, END.length);
        end = END.length;
      }
    }
  }

  private static boolean endsWithEnd(byte[] buffer, int end) {
    for (int i = 0; i < END.length; i++) {
      if (end < END.length || buffer[end - END.length + i] != END[i]) {
        return false;
      }
    }
    return true;
  }

  private synchronized void record(long nanos) {
    latenciesNanos.add(nanos);
  }

  private synchronized String window() {
    long now = System.nanoTime();
    List<Long> sorted = latenciesNanos.stream().sorted().toList();
    latenciesNanos = new ArrayList<>();
    long lengthNanos = now - windowNanos;
    windowNanos = now;
    int count = sorted.size();
    return count == 0
        ? "0 " + lengthNanos + " 0 0"
        : count
            + " "
            + lengthNanos
            + " "
            + sorted.get(count / 2)
            + " "
            + sorted.get((int) (count * 0.99));
  }
}
