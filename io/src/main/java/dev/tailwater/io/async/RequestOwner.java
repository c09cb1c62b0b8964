package dev.tailwater.io.async;

/** Gets requests back that a {@link RequestSink} has done. */
interface RequestOwner {
  /**
   * This one is done, well or with a failure. On a thread of the sink, which it must not hold up.
   */
  void finished(Request request);
}
