package dev.tailwater.destination.cloud.http;

import dev.tailwater.destination.cloud.StoredObject;
import java.net.http.HttpResponse;
import java.util.function.Predicate;

/** What a server answers to a request for an object, or for a range of one. */
public final class HttpObject {
  private static final int RANGE_BEYOND_END = 416;

  private HttpObject() {}

  /** A request for an object. */
  public interface Request {
    /** Sends it. */
    HttpResponse<BodyStream> send() throws InterruptedException;
  }

  /**
   * Returns the answer.
   *
   * @param isMissing tells whether the store says that there is no such object
   * @throws HttpFailure the server refuses, or its answer is not the store's
   */
  public static StoredObject of(Request request, Predicate<HttpFailure> isMissing)
      throws InterruptedException {
    try {
      HttpResponse<BodyStream> answer = request.send();
      return new StoredObject.Found(
          answer.body(),
          answer.body()::abort,
          answer.headers().firstValueAsLong("Content-Length"),
          answer.headers().firstValue("Content-Range"));
    } catch (HttpFailure e) {
      if (e.hasStatus(RANGE_BEYOND_END)) {
        return new StoredObject.BeyondEnd();
      }
      if (isMissing.test(e)) {
        return new StoredObject.Missing();
      }
      throw e;
    }
  }
}
