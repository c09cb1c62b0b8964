package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;

/**
 * A receiver of the results of a {@link ReadQueue}, called on the thread that waits for them. It
 * may submit the next request. If it throws, the exception reaches that thread, and the other
 * results stay in the queue.
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
