package dev.tailwater.lab.change;

import java.io.IOException;

/** Somebody who watches a tree in threads of its own, until it is closed. */
sealed interface Watcher extends AutoCloseable
    permits DirectoryWatcher, PollingWatcher, ServiceWatcher {
  /** Where it writes down what it sees. */
  SightLog log();

  /** Processor time, user and system, of its threads until now. */
  long processorNanos();

  /** How often the kernel or the JDK has lost count, until now. */
  long overflows();

  /** Does it watch in the way that was asked for? It may be told to do otherwise. */
  boolean isAsAsked();

  /** Throws what ended it before, if something did. */
  @Override
  void close() throws IOException;
}
