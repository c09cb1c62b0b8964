package dev.tailwater.lab.write;

import java.io.IOException;
import java.nio.file.Path;

/** A place to write to whose WRITE requests are counted. */
interface CountedMount extends AutoCloseable {
  /** As the table names it. */
  String name();

  /** What it is, in a few words for people. */
  String description();

  /** The directory that is written to. */
  Path directory();

  /**
   * The directory in which to read what was written without requests to the mount, if there is one.
   */
  Path contents();

  /** The most that one request carries. */
  int maxRequestBytes();

  /** Returns the WRITE requests up to now. */
  long writeRequests() throws IOException;

  /** Begins to delay requests, after the warm-up. */
  void beSlow() throws IOException;

  @Override
  void close() throws IOException;
}
