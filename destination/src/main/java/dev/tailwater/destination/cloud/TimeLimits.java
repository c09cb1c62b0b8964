package dev.tailwater.destination.cloud;

import java.time.Duration;

/**
 * The time limits of requests to a server.
 *
 * @param connect to accept a connection
 * @param answer to send the next bytes of an answer
 * @param leastBytesPerSecond the rate below which a request body is abandoned: a server that stops
 *     reading would otherwise block its sender forever, since TCP has no limit for that
 * @param leastReadBytesPerSecond the rate below which a read is abandoned; lower, since many
 *     objects may be read at once over one narrow line
 */
public record TimeLimits(
    Duration connect, Duration answer, long leastBytesPerSecond, long leastReadBytesPerSecond) {
  public static final TimeLimits STANDARD =
      new TimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), 64 << 10, 4 << 10);

  /** Returns the limit for a whole put, from its start to the end of the answer. */
  public Duration put(long lengthBytes) {
    return connect.plus(answer).plusMillis(lengthBytes * 1000 / leastBytesPerSecond);
  }

  /** Returns the limit for the total wait for an object's bytes, after so many have arrived. */
  public Duration read(long receivedBytes) {
    return answer.plusMillis(receivedBytes * 1000 / leastReadBytesPerSecond);
  }

  /** Returns the limit for a request without a body, until the answer begins. */
  public Duration question() {
    return connect.plus(answer);
  }
}
