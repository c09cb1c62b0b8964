package dev.tailwater.destination.hdfs;

import java.time.Duration;

/**
 * How long the cluster may let a call wait. Hadoop's own limits are made for jobs that would rather
 * wait for ten minutes than fail; here a call fails soon, since delivery repeats it and says so.
 *
 * @param connect to take a connection
 * @param answer of a NameNode to a call
 * @param data of a data node, for the next packet or its acknowledgement
 */
record TimeLimits(Duration connect, Duration answer, Duration data) {
  static final TimeLimits STANDARD =
      new TimeLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30));
}
