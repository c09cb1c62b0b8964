package dev.tailwater.destination.s3;

import java.time.Duration;

/**
 * How long a server may let a request wait.
 *
 * @param connect to take a connection
 * @param answer to send the next bytes of an answer
 * @param leastBytesPerSecond a request body slower than this is given up: a server that stops
 *     reading would else hold its sender forever, since TCP has no limit for that
 */
record TimeLimits(Duration connect, Duration answer, long leastBytesPerSecond) {
  static final TimeLimits STANDARD =
      new TimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), 64 << 10);

  /** For a whole put, from its start to the end of the answer. */
  Duration put(long lengthBytes) {
    return connect.plus(answer).plusMillis(lengthBytes * 1000 / leastBytesPerSecond);
  }

  /** For a request with nothing in it, until the answer begins. */
  Duration question() {
    return connect.plus(answer);
  }
}
