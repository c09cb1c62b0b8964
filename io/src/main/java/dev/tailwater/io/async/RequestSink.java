package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;

/** Does the requests of many queues, and gives each back to its owner. */
interface RequestSink extends AutoCloseable {
  /**
   * Takes all requests of the list. Thread-safe.
   *
   * @throws ErrnoException when it cannot; then they stay in the list
   */
  void accept(RequestList requests) throws ErrnoException;

  /** Ends its threads; only when it has no request. */
  @Override
  void close() throws ErrnoException;
}
