package dev.tailwater.destination.cloud;

import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.function.LongSupplier;

/**
 * A stream of the answer to a GET. It fails if bytes are missing, if there are more than requested,
 * or if they come too slowly. For one thread.
 */
final class ObjectBody extends InputStream {
  /** The number of unread bytes up to which reading them is cheaper than a new connection. */
  private static final long CHEAP_BYTES = 64 << 10;

  private final StoredObject.Found answer;
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
   * The bytes that are still to come; negative if the server sent neither a length nor a range, in
   * which case HTTP's chunks mark the end.
   */
  private long leftBytes;

  private boolean ended;

  /**
   * Takes ownership of the answer.
   *
   * @param askedBytes the requested length; more bytes are a failure
   */
  ObjectBody(
      StoredObject.Found answer,
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
    this.leftBytes = answer.expectedBytes().orElse(-1);
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
      // Read at the end too: there the checksum of a whole object is compared.
      count = answer.content().read(target, from, length);
    } catch (IOException | RuntimeException e) {
      throw failed("reading stopped before the end: " + CloudFailures.withCauses(e), e);
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
    boolean tooLong = leftBytes >= 0 && count > leftBytes;
    leftBytes = Math.max(-1, leftBytes - count);
    if (readBytes > askedBytes) {
      throw failed(
          "the answer is longer than the " + askedBytes + " bytes that were asked for",
          new IOException("too long"));
    }
    if (tooLong) {
      throw failed("the answer is longer than its range", new IOException("too long"));
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
    if (!ended && (leftBytes < 0 || leftBytes > CHEAP_BYTES)) {
      answer.abort().run();
      return;
    }
    try {
      answer.content().close();
    } catch (IOException | RuntimeException e) {
      // The caller has read what it wanted; only the connection is lost.
      answer.abort().run();
    }
  }
}
