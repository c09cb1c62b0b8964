package dev.tailwater.destination.cloud.http;

import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The body of a request from buffers, which are sent in slices and never copied or changed. It can
 * be sent several times.
 *
 * <p>After {@link #release} nothing more is taken from the buffers. At most the slice that is on
 * its way then may still change; the checksum of the request covers that, and the connection is
 * closed.
 */
public final class BufferPublisher implements HttpRequest.BodyPublisher {
  private static final int SLICE_BYTES = 64 << 10;

  private final List<ByteBuffer> buffers;
  private volatile boolean released;
  private volatile long takenNanos = System.nanoTime();

  private BufferPublisher(List<ByteBuffer> buffers) {
    this.buffers = buffers;
  }

  /** Publishes the bytes of the buffers from position to limit, one after the other. */
  public static BufferPublisher of(ByteBuffer... buffers) {
    return new BufferPublisher(
        List.of(buffers).stream().map(ByteBuffer::asReadOnlyBuffer).toList());
  }

  @Override
  public long contentLength() {
    return buffers.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  /** Returns when bytes were last taken, on the clock of {@link System#nanoTime}. */
  long takenNanos() {
    return takenNanos;
  }

  /** Called when the content belongs to its owner again. */
  void release() {
    released = true;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    takenNanos = System.nanoTime();
    ArrayDeque<ByteBuffer> slices = new ArrayDeque<>();
    for (ByteBuffer buffer : buffers) {
      for (int from = buffer.position(); from < buffer.limit(); from += SLICE_BYTES) {
        slices.add(buffer.slice(from, Math.min(SLICE_BYTES, buffer.limit() - from)));
      }
    }
    subscriber.onSubscribe(new Sending(slices, subscriber));
  }

  /** One sending of the body. Each signal is sent after the one before it has returned. */
  private final class Sending implements Flow.Subscription {
    private final ArrayDeque<ByteBuffer> slices;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean over;

    Sending(ArrayDeque<ByteBuffer> slices, Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.slices = slices;
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      wanted.accumulateAndGet(count, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
      // The subscriber asks for more from within onNext, and maybe from other threads.
      if (running.getAndIncrement() != 0) {
        return;
      }
      int rounds = 1;
      do {
        send();
        rounds = running.addAndGet(-rounds);
      } while (rounds != 0);
    }

    private void send() {
      while (!over && wanted.get() > 0) {
        if (released) {
          over = true;
          subscriber.onError(new IllegalStateException("the content is no longer there"));
        } else if (slices.isEmpty()) {
          over = true;
          subscriber.onComplete();
        } else {
          wanted.decrementAndGet();
          takenNanos = System.nanoTime();
          subscriber.onNext(slices.remove());
        }
      }
      if (!over && slices.isEmpty()) {
        over = true;
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      over = true;
    }
  }
}
