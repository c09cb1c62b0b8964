package dev.tailwater.lab.change;

import java.io.IOException;
import java.util.Optional;

/** A watcher of a tree, with threads of its own. */
interface Watcher extends AutoCloseable {
  /** The log of what it sees. */
  SightLog log();

  /** Returns the processor time of its threads, user and system, up to now. */
  long processorNanos();

  /** Returns how often events were lost in the kernel or the JDK, up to now. */
  long overflows();

  /** Whether it watches by the method that was asked for; it may have fallen back to another. */
  boolean isAsAsked();

  /** Returns why it fell back to another method, if it did. */
  default Optional<String> whyNotAsAsked() {
    return Optional.empty();
  }

  /** Ends watching; throws the failure that ended it before, if there was one. */
  @Override
  void close() throws IOException;
}
