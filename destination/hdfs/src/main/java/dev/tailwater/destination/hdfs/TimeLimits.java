package dev.tailwater.destination.hdfs;

import java.time.Duration;

/**
 * The time limits of calls. Hadoop's own limits suit jobs that would rather wait ten minutes than
 * fail; here a call fails soon, since delivery retries and reports it.
 *
 * @param connect to accept a connection
 * @param answer of a NameNode to a call
 * @param data of a data node, for the next packet or its acknowledgement
 */
record TimeLimits(Duration connect, Duration answer, Duration data) {
  static final TimeLimits STANDARD =
      new TimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30));
}
