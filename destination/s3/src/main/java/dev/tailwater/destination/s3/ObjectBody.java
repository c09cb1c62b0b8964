package dev.tailwater.destination.s3;

import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A stream of the answer to a GET. It fails if bytes are missing, if there are more than requested,
 * or if they come too slowly. For one thread.
 */
final class ObjectBody extends InputStream {
  private final ResponseInputStream<GetObjectResponse> answer;
  private final URI uri;
  private final String key;
  private final long askedBytes;
  private final TimeLimits limits;
  private final LongSupplier nanoClock;
  private long readBytes;

  /**
   * The time spent in reads only, since the caller may pause between them for as long as it likes.
   */
  private long waitedNanos;

  /**
   * The bytes that are still to come; negative if the server did not send a length, in which case
   * HTTP's chunks mark the end.
   */
  private long leftBytes;

  private boolean ended;

  /**
   * Takes ownership of the answer.
   *
   * @param askedBytes the requested length; more bytes are a failure
   */
  ObjectBody(
      ResponseInputStream<GetObjectResponse> answer,
      URI uri,
      String key,
      long askedBytes,
      TimeLimits limits,
      LongSupplier nanoClock) {
    this.answer = answer;
    this.uri = uri;
    this.key = key;
    this.askedBytes = askedBytes;
    this.limits = limits;
    this.nanoClock = nanoClock;
    @Nullable Long lengthBytes = answer.response().contentLength();
    this.leftBytes = lengthBytes == null ? -1 : lengthBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count;
    long began = nanoClock.getAsLong();
    try {
      // Read at the end too: there the SDK compares the checksum of a whole object.
      count = answer.read(target, from, length);
    } catch (IOException | SdkException e) {
      throw failed("reading stopped before the end: " + e, e);
    }
    if (count < 0) {
      ended = true;
      if (leftBytes > 0) {
        throw failed("the answer ends " + leftBytes + " bytes early", new IOException("early end"));
      }
    } else {
      waitedNanos += nanoClock.getAsLong() - began;
      check(count);
    }
    return count;
  }

  private void check(int count) throws TransientDestinationException {
    readBytes += count;
    if (leftBytes >= 0) {
      leftBytes -= count;
    }
    if (readBytes > askedBytes) {
      throw failed(
          "the answer is longer than the " + askedBytes + " bytes that were asked for",
          new IOException("too long"));
    }
    if (waitedNanos > limits.read(readBytes).toNanos()) {
      throw failed(
          readBytes + " bytes have come in " + waitedNanos / 1_000_000_000 + " s of waiting",
          new IOException("too slow"));
    }
  }

  private TransientDestinationException failed(String reason, Exception cause) {
    return new TransientDestinationException(
        uri, "read", key, reason, "The network or the server failed; read it again.", cause);
  }

  @Override
  public void close() throws IOException {
    if (!ended && (leftBytes < 0 || leftBytes > Bodies.CHEAP_BYTES)) {
      answer.abort();
      return;
    }
    try {
      answer.close();
    } catch (IOException | SdkException e) {
      // The caller has read what it wanted; only the connection is lost.
      answer.abort();
    }
  }
}
