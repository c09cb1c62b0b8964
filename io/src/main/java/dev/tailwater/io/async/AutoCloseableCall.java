package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;

/** A step of closing, for try-with-resources: the steps after one that fails are made too. */
interface AutoCloseableCall extends AutoCloseable {
  @Override
  void close() throws ErrnoException;
}
