package dev.tailwater.delivery;

import java.io.IOException;
import java.util.Optional;

/**
 * Closes things one after another, even if some fail, and finally throws the first failure with the
 * others suppressed. For one thread.
 */
final class CloseSequence {
  private Optional<Throwable> failure = Optional.empty();

  interface Step {
    void run() throws IOException;
  }

  void run(Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      if (failure.isPresent()) {
        failure.get().addSuppressed(e);
      } else {
        failure = Optional.of(e);
      }
    }
  }

  void end() throws IOException {
    if (failure.isEmpty()) {
      return;
    }
    switch (failure.get()) {
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }
}
