package dev.tailwater.io.async;

import dev.tailwater.posix.ErrnoException;
import org.jspecify.annotations.Nullable;

/**
 * Closes several resources: closes each one even if others fail, and then throws the first failure.
 */
final class CloseSequence {
  private @Nullable ErrnoException first;

  void close(AutoCloseableCall step) {
    try {
      step.close();
    } catch (ErrnoException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
  }

  void throwFirst() throws ErrnoException {
    if (first != null) {
      throw first;
    }
  }
}
