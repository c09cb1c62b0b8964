package dev.tailwater.destination.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * An HTTP client that aborts a request when the server has taken nothing of its body for too long.
 * A socket has no limit for that, and the limit for the whole put counts on the lowest rate that is
 * accepted, so it lets a server that never reads waste minutes. Thread-safe.
 */
final class WatchedBodies implements SdkHttpClient {
  /** What the kernel takes at once, whether the server reads it or not. */
  private static final long MIN_BYTES = 64 << 10;

  private final SdkHttpClient real;
  private final ScheduledExecutorService timer;
  private final Duration limit;

  /**
   * @param real is closed with this one
   * @param limit without a byte
   */
  WatchedBodies(SdkHttpClient real, ScheduledExecutorService timer, Duration limit) {
    this.real = real;
    this.timer = timer;
    this.limit = limit;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    Optional<ContentStreamProvider> body = request.contentStreamProvider();
    boolean isLong =
        request
            .httpRequest()
            .firstMatchingHeader("Content-Length")
            .filter(length -> Long.parseLong(length) > MIN_BYTES)
            .isPresent();
    if (body.isEmpty() || !isLong) {
      return real.prepareRequest(request);
    }
    Progress progress = new Progress();
    HttpExecuteRequest.Builder watched =
        HttpExecuteRequest.builder()
            .request(request.httpRequest())
            .contentStreamProvider(() -> new Watched(body.get().newStream(), progress));
    request.metricCollector().ifPresent(watched::metricCollector);
    return new WatchedRequest(real.prepareRequest(watched.build()), progress);
  }

  @Override
  public String clientName() {
    return real.clientName();
  }

  @Override
  public void close() {
    real.close();
  }

  /** When the client has last asked for bytes of the body to send. */
  private static final class Progress {
    volatile long atNanos = System.nanoTime();

    /** Set when all was sent: the wait for the answer has a limit of its own. */
    volatile boolean over;

    volatile boolean stalled;
  }

  private final class WatchedRequest implements ExecutableHttpRequest {
    private final ExecutableHttpRequest request;
    private final Progress progress;
    private volatile @Nullable ScheduledFuture<?> next;

    WatchedRequest(ExecutableHttpRequest request, Progress progress) {
      this.request = request;
      this.progress = progress;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
      progress.atNanos = System.nanoTime();
      lookAfter(limit.toNanos());
      try {
        return request.call();
      } catch (IOException | RuntimeException e) {
        if (!progress.stalled) {
          throw e;
        }
        SocketTimeoutException stalled =
            new SocketTimeoutException(
                "the server took nothing of what was sent for " + limit.toSeconds() + " s");
        stalled.addSuppressed(e); // As a cause it would look like a connection that was closed.
        throw stalled;
      } finally {
        progress.over = true;
        @Nullable ScheduledFuture<?> waiting = next;
        if (waiting != null) {
          waiting.cancel(false);
        }
      }
    }

    private void lookAfter(long nanos) {
      next = timer.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
      if (progress.over) {
        return;
      }
      long leftNanos = limit.toNanos() - (System.nanoTime() - progress.atNanos);
      if (leftNanos > 0) {
        lookAfter(leftNanos);
        return;
      }
      progress.stalled = true;
      request.abort();
    }

    @Override
    public void abort() {
      request.abort();
    }
  }

  /** A body that notes when it is read. For one thread. */
  private static final class Watched extends FilterInputStream {
    private final Progress progress;

    Watched(InputStream body, Progress progress) {
      super(body);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      return noted(super.read());
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      return noted(super.read(target, from, length));
    }

    private int noted(int result) {
      progress.atNanos = System.nanoTime();
      return result;
    }
  }
}
