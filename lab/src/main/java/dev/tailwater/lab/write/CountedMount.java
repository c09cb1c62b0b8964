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

  /** Where to read what was written without asking for it over the mount again, if there is. */
  Path contents();

  /** The most that one request carries. */
  int maxRequestBytes();

  /** WRITE requests until now. */
  long writeRequests() throws IOException;

  /** Begins to be as slow as it is to be: after the code is warm. */
  void beSlow() throws IOException;

  @Override
  void close() throws IOException;
}
