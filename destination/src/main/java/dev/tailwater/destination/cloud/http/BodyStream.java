package dev.tailwater.destination.cloud.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.cloud.TimeLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer as a stream that fails when nothing arrives for too long. The JDK's own has
 * no limit for that. A few buffers are ahead of the reader. For one reading thread; the HTTP client
 * writes.
 */
public final class BodyStream extends InputStream
    implements HttpResponse.BodySubscriber<BodyStream> {
  /** Buffers of 16 KiB that the client may read ahead. */
  private static final int AHEAD = 4;

  /** The number of unread bytes up to which reading them is cheaper than a new connection. */
  private static final int CHEAP_BYTES = 64 << 10;

  /** How long a close waits for them. */
  private static final Duration CLOSING = Duration.ofMillis(100);

  private sealed interface Signal {
    record Bytes(List<ByteBuffer> buffers) implements Signal {}

    record End() implements Signal {}

    record Broken(Throwable cause) implements Signal {}
  }

  private final Duration patience;
  private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private Optional<Flow.Subscription> subscription = Optional.empty();

  @GuardedBy("lock")
  private boolean cancelled;

  /** These fields belong to the reading thread. */
  private List<ByteBuffer> buffers = List.of();

  private int at;
  private boolean ended;

  BodyStream(Duration patience) {
    this.patience = patience;
  }

  @Override
  public CompletionStage<BodyStream> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription flow) {
    synchronized (lock) {
      if (!cancelled) {
        subscription = Optional.of(flow);
        flow.request(AHEAD);
        return;
      }
    }
    flow.cancel();
  }

  @Override
  public void onNext(List<ByteBuffer> arrived) {
    signals.add(new Signal.Bytes(arrived));
  }

  @Override
  public void onError(Throwable cause) {
    signals.add(new Signal.Broken(cause));
  }

  @Override
  public void onComplete() {
    signals.add(new Signal.End());
  }

  /** Returns whether the end of the body was read. */
  boolean hasEnded() {
    return ended;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      while (at < buffers.size()) {
        ByteBuffer buffer = buffers.get(at);
        if (buffer.hasRemaining()) {
          int count = Math.min(length, buffer.remaining());
          buffer.get(target, from, count);
          return count;
        }
        at++;
      }
      if (!await(patience)) {
        abort();
        throw new HttpTimeoutException("nothing came for " + patience.toSeconds() + " s");
      }
    }
    return -1;
  }

  /** Waits for the next bytes, or the end; returns whether something came. */
  private boolean await(Duration limit) throws IOException {
    Optional<Signal> signal;
    try {
      signal = Optional.ofNullable(signals.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abort();
      throw new InterruptedIOException("the thread was interrupted");
    }
    if (signal.isEmpty()) {
      return false;
    }
    switch (signal.get()) {
      case Signal.End _ -> ended = true;
      case Signal.Broken(Throwable cause) ->
          throw cause instanceof IOException e
              ? new IOException(e.getMessage(), e)
              : new IOException(cause);
      case Signal.Bytes(List<ByteBuffer> arrived) -> {
        buffers = arrived;
        at = 0;
        synchronized (lock) {
          subscription.ifPresent(flow -> flow.request(1));
        }
      }
    }
    return true;
  }

  /** Reads to the end or up to a length, within the limit for reads. */
  byte[] readAtMost(int maxBytes, TimeLimits limits) throws IOException {
    long beganNanos = System.nanoTime();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[8192];
    while (all.size() < maxBytes) {
      int count = read(some, 0, Math.min(some.length, maxBytes - all.size()));
      if (count < 0) {
        break;
      }
      all.write(some, 0, count);
      if (System.nanoTime() - beganNanos > limits.read(all.size()).toNanos()) {
        throw new HttpTimeoutException(all.size() + " bytes of the answer came in its time");
      }
    }
    return all.toByteArray();
  }

  /** Ends the connection, without reading the rest. */
  public void abort() {
    Optional<Flow.Subscription> flow;
    synchronized (lock) {
      cancelled = true;
      flow = subscription;
    }
    flow.ifPresent(Flow.Subscription::cancel);
  }

  /** Reads the rest if it is short and comes at once, so that the connection can be used again. */
  @Override
  public void close() {
    long deadlineNanos = System.nanoTime() + CLOSING.toNanos();
    try {
      for (int left = CHEAP_BYTES; left > 0 && !ended; ) {
        for (ByteBuffer buffer : buffers) {
          left -= buffer.remaining();
        }
        buffers = List.of();
        Duration rest = Duration.ofNanos(deadlineNanos - System.nanoTime());
        if (!ended && (rest.isNegative() || !await(rest))) {
          break;
        }
      }
    } catch (IOException e) {
      // The caller has read what it wanted; only the connection is lost.
    } finally {
      if (!ended) {
        abort();
      }
    }
  }
}
