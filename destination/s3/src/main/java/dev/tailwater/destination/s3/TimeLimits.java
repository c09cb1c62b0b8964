package dev.tailwater.destination.s3;

import java.time.Duration;

/**
 * How long a server may let a request wait.
 *
 * @param connect to take a connection
 * @param answer to send the next bytes of an answer
 * @param leastBytesPerSecond the rate below which a request body is abandoned: a server that stops
 *     reading would otherwise block its sender forever, since TCP has no limit for that
 * @param leastReadBytesPerSecond the rate below which a read is abandoned; lower, since many
 *     objects may be read at once over one narrow line
 */
record TimeLimits(
    Duration connect, Duration answer, long leastBytesPerSecond, long leastReadBytesPerSecond) {
  static final TimeLimits STANDARD =
      new TimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), 64 << 10, 4 << 10);

  /** For a whole put, from its start to the end of the answer. */
  Duration put(long lengthBytes) {
    return connect.plus(answer).plusMillis(lengthBytes * 1000 / leastBytesPerSecond);
  }

  /** For all waiting for an object's bytes, when so many have come. */
  Duration read(long receivedBytes) {
    return answer.plusMillis(receivedBytes * 1000 / leastReadBytesPerSecond);
  }

  /** For a request with nothing in it, until the answer begins. */
  Duration question() {
    return connect.plus(answer);
  }
}
