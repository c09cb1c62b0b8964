package dev.tailwater.lab.change;

import java.io.IOException;
import java.util.Optional;

/** Somebody who watches a tree in threads of its own, until it is closed. */
interface Watcher extends AutoCloseable {
  /** Where it writes down what it sees. */
  SightLog log();

  /** Processor time, user and system, of its threads until now. */
  long processorNanos();

  /** How often the kernel or the JDK has lost count, until now. */
  long overflows();

  /** Does it watch in the way that was asked for? It may be told to do otherwise. */
  boolean isAsAsked();

  /** What was said when it was told to do otherwise, if something was. */
  default Optional<String> whyNotAsAsked() {
    return Optional.empty();
  }

  /** Throws what ended it before, if something did. */
  @Override
  void close() throws IOException;
}
