package dev.tailwater.lab.write;

import java.io.IOException;
import java.nio.file.Path;

/** A mount whose WRITE requests are counted. */
interface CountedMount extends AutoCloseable {
  /** Returns its name in the table. */
  String name();

  /** Returns a description in a few words. */
  String description();

  /** Returns the directory that is written to. */
  Path directory();

  /**
   * Returns a directory from which to read what was written without requests to the mount, if there
   * is one.
   */
  Path contents();

  /** Returns the most bytes that one request carries. */
  int maxRequestBytes();

  /** Returns the number of WRITE requests so far. */
  long writeRequests() throws IOException;

  /** Begins to delay requests, after the warm-up. */
  void beSlow() throws IOException;

  @Override
  void close() throws IOException;
}
