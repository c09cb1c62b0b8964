package dev.tailwater.destination.cloud.http;

import dev.tailwater.destination.cloud.TimeLimits;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * A sender of requests, which bounds the length of every answer and the time for it. Failures are
 * {@link HttpFailure}. It repeats a request once if the connection breaks before the answer, since
 * a server may close a kept connection at any time. Thread-safe.
 */
public final class HttpSender implements AutoCloseable {
  /** The limit of an answer that is loaded into memory: more than a page of a list. */
  private static final int MAX_ANSWER_BYTES = 16 << 20;

  /** How much of a refusal is read. */
  private static final int MAX_ERROR_BYTES = 64 << 10;

  private final HttpClient client;
  private final TimeLimits limits;

  private HttpSender(HttpClient client, TimeLimits limits) {
    this.client = client;
    this.limits = limits;
  }

  /** Opens a sender; no connection is made before the first request. */
  public static HttpSender open(TimeLimits limits) {
    return new HttpSender(
        HttpClient.newBuilder()
            // Each body has its own connection, as many bodies are sent at once.
            .version(HttpClient.Version.HTTP_1_1)
            // A redirect could carry credentials to another host.
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(limits.connect())
            .build(),
        limits);
  }

  /** Returns the limits of requests; each request sets its own {@link HttpRequest#timeout}. */
  public TimeLimits limits() {
    return limits;
  }

  /** Sends a request that may be sent twice, and reads the whole answer, whatever its status. */
  public HttpAnswer send(HttpRequest request) throws InterruptedException {
    return whole(response(request, true));
  }

  /** Sends a request that must not be sent twice, and reads the whole answer. */
  public HttpAnswer sendOnce(HttpRequest request) throws InterruptedException {
    return whole(response(request, false));
  }

  /**
   * Sends a request for an object and returns its answer with the body still to be read. A success
   * with a page for a browser is a failure: no object of an archive is one.
   */
  public HttpResponse<BodyStream> open(HttpRequest request) throws InterruptedException {
    HttpResponse<BodyStream> response = response(request, true);
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (response.statusCode() / 100 == 2 && HttpAnswer.isPage(type)) {
      throw whole(response).unexpected("is a page for a browser");
    }
    return response;
  }

  /** Reads the rest of an answer. */
  public HttpAnswer whole(HttpResponse<BodyStream> response) {
    try (BodyStream body = response.body()) {
      boolean success = response.statusCode() / 100 == 2;
      byte[] bytes = body.readAtMost(success ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES, limits);
      if (success && !body.hasEnded()) {
        throw new IOException("the answer is longer than " + MAX_ANSWER_BYTES + " bytes");
      }
      return HttpAnswer.of(response.statusCode(), response.headers(), bytes);
    } catch (IOException e) {
      throw new HttpFailure(e);
    }
  }

  private HttpResponse<BodyStream> response(HttpRequest request, boolean repeatable)
      throws InterruptedException {
    try {
      try {
        return exchange(request);
      } catch (IOException e) {
        if (!repeatable || !mayBeAClosedConnection(e)) {
          throw e;
        }
        return exchange(request);
      }
    } catch (ConnectException e) {
      throw new HttpFailure(withAddress(request, e));
    } catch (IOException e) {
      throw new HttpFailure(e);
    } finally {
      request.bodyPublisher().ifPresent(HttpSender::release);
    }
  }

  /**
   * Waits for the head of an answer. The time limit of the request counts on the lowest rate that
   * is accepted, so a server that takes nothing of a body would waste minutes without another one.
   */
  private HttpResponse<BodyStream> exchange(HttpRequest request)
      throws IOException, InterruptedException {
    BodyStream body = new BodyStream(limits.answer());
    CompletableFuture<HttpResponse<BodyStream>> answer = client.sendAsync(request, head -> body);
    boolean returned = false;
    try {
      long waitNanos = limits.question().toNanos();
      while (true) {
        try {
          HttpResponse<BodyStream> response = answer.get(waitNanos, TimeUnit.NANOSECONDS);
          returned = true;
          return response;
        } catch (TimeoutException e) {
          waitNanos = untilStalledNanos(request);
          if (waitNanos <= 0) {
            throw new HttpTimeoutException(
                "the server took nothing of what was sent, and answered nothing, for "
                    + limits.question().toSeconds()
                    + " s");
          }
        }
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failed -> throw failed;
        case RuntimeException failed -> throw failed;
        case Error failed -> throw failed;
        case null, default -> throw new IOException(e);
      }
    } finally {
      if (!returned) {
        answer.cancel(true);
        body.abort(); // The head may have come meanwhile, on which a cancel has no effect.
      }
    }
  }

  private long untilStalledNanos(HttpRequest request) {
    return request.bodyPublisher().orElse(null) instanceof BufferPublisher content
        ? limits.question().toNanos() - (System.nanoTime() - content.takenNanos())
        : limits.question().toNanos(); // The limit of the request is this one.
  }

  /** The content of a request belongs to the caller, who may change it from now on. */
  private static void release(HttpRequest.BodyPublisher publisher) {
    if (publisher instanceof BufferPublisher content) {
      content.release();
    }
  }

  private static boolean mayBeAClosedConnection(IOException e) {
    return !(e instanceof HttpTimeoutException
        || e instanceof ConnectException
        || e instanceof SSLException);
  }

  /** The JDK's exception has no message. */
  private static ConnectException withAddress(HttpRequest request, ConnectException e) {
    ConnectException named =
        new ConnectException("cannot connect to " + request.uri().getAuthority());
    named.initCause(e);
    return named;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
