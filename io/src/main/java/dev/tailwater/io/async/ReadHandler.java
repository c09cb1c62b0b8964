package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;

/**
 * Takes the results of a {@link ReadQueue}, on the thread that waits for them. It may submit the
 * next request. What it throws goes to that thread, and the other results stay in the queue.
 */
public interface ReadHandler {
  /**
   * A read is done.
   *
   * @param tag what the request was submitted with
   * @param bytes how many are in the target: all that fit, or fewer where the file ends
   */
  void completed(long tag, int bytes);

  /**
   * A read failed. What is in the target is undefined.
   *
   * @param tag what the request was submitted with
   */
  void failed(long tag, ErrnoException failure);
}
