package dev.tailwater.destination.s3;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;

/**
 * A bound for the part of an answer that the SDK loads into memory. The content of an object is not
 * limited, since it is streamed to the caller.
 */
final class AnswerLimits implements ExecutionInterceptor {
  /**
   * The limit of a successful answer: more than a page of a list, with a thousand keys of 1024
   * bytes, each byte as %XX, and their attributes.
   */
  private static final long MAX_ANSWER_BYTES = 16L << 20;

  private static final long MAX_ERROR_BYTES = 1L << 20;

  @Override
  public Optional<InputStream> modifyHttpResponseContent(
      Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
    SdkHttpResponse answer = context.httpResponse();
    if (answer.isSuccessful() && context.request() instanceof GetObjectRequest) {
      return context.responseBody();
    }
    long mostBytes = answer.isSuccessful() ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
    return context.responseBody().map(body -> new BoundedBody(body, mostBytes));
  }

  /** A stream that fails once it has returned more than its limit. For one thread. */
  private static final class BoundedBody extends InputStream {
    private final InputStream body;
    private final long mostBytes;
    private long readBytes;

    BoundedBody(InputStream body, long mostBytes) {
      this.body = body;
      this.mostBytes = mostBytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      int count = body.read(target, from, length);
      readBytes += Math.max(count, 0);
      if (readBytes > mostBytes) {
        throw new IOException("the answer is longer than " + mostBytes + " bytes");
      }
      return count;
    }

    /** Closes the body without reading it to its end, since it may be endless. */
    @Override
    public void close() throws IOException {
      Bodies.closeOrAbort(body);
    }
  }
}
