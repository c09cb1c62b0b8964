package dev.tailwater.lab.change;

import java.io.IOException;
import java.util.Optional;

/** A watcher of a tree, with threads of its own. */
interface Watcher extends AutoCloseable {
  /** Returns the log of what it sees. */
  SightLog log();

  /** Returns the processor time of its threads so far, user and system. */
  long processorNanos();

  /** Returns how often the kernel or the JDK has lost events so far. */
  long overflows();

  /** Returns whether it still watches by the requested method, and did not fall back to another. */
  boolean isAsAsked();

  /** Returns why it fell back to another method, if it did. */
  default Optional<String> whyNotAsAsked() {
    return Optional.empty();
  }

  /** Stops watching; throws the failure that ended it earlier, if there was one. */
  @Override
  void close() throws IOException;
}
