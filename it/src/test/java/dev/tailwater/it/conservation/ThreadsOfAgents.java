package dev.tailwater.it.conservation;

import dev.tailwater.posix.testkit.CrashError;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Listens for threads that die while a test runs. */
final class ThreadsOfAgents implements BeforeEachCallback, AfterEachCallback {
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private Optional<Thread.UncaughtExceptionHandler> handlerBefore = Optional.empty();

  @Override
  public void beforeEach(ExtensionContext context) {
    handlerBefore = Optional.ofNullable(Thread.getDefaultUncaughtExceptionHandler());
    Thread.setDefaultUncaughtExceptionHandler(
        (_, error) -> {
          // A killed agent's threads end with the call at which they noticed.
          if (!(error instanceof CrashError)) {
            uncaught.add(error);
          }
        });
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Thread.setDefaultUncaughtExceptionHandler(handlerBefore.orElse(null));
  }

  /** Returns why threads have died, other than with their agent. */
  List<Throwable> died() {
    return List.copyOf(uncaught);
  }
}
