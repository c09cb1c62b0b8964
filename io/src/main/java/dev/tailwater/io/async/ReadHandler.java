package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;

/**
 * A receiver of the results of a {@link ReadQueue}, called on the thread that waits for them. It
 * may submit the next request. If it throws, the exception reaches that thread, and the other
 * results stay in the queue.
 */
public interface ReadHandler {
  /**
   * Receives the result of a successful read.
   *
   * @param tag what the request was submitted with
   * @param bytes the number of bytes in the target: all that fit, or fewer at the end of the file
   */
  void completed(long tag, int bytes);

  /**
   * Receives the failure of a read. The content of the target is undefined.
   *
   * @param tag what the request was submitted with
   */
  void failed(long tag, ErrnoException failure);
}
