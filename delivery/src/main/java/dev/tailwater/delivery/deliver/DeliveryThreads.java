package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.neighbour.ThreadPriorities;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.thread.ThreadMaker;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Makes the threads of a {@link Deliverer}, which lower themselves by what can be taken back, since
 * a call under way cannot be handed to another thread. Thread-safe.
 */
final class DeliveryThreads implements ThreadFactory {
  private final ThreadMaker threads;
  private final AtomicInteger made = new AtomicInteger();
  private final Optional<ThreadPriorities> priorities;
  private final Consumer<Throwable> unforeseen;
  private final Set<Lowered> living = new HashSet<>();
  private int hurries;

  /**
   * @param unforeseen told when a thread cannot be lowered; it works all the same
   */
  DeliveryThreads(
      Optional<ThreadPriorities> priorities, ThreadMaker threads, Consumer<Throwable> unforeseen) {
    this.threads = threads;
    this.priorities = priorities;
    this.unforeseen = unforeseen;
  }

  @Override
  public Thread newThread(Runnable work) {
    return threads.unstarted(
        "deliver-" + made.getAndIncrement(),
        () -> {
          Optional<Lowered> lowered = lower();
          lowered.ifPresent(this::begins);
          try {
            work.run();
          } finally {
            lowered.ifPresent(this::ends);
          }
        });
  }

  /** A thread that ended here would be counted by its pool for ever. */
  private Optional<Lowered> lower() {
    try {
      return priorities.flatMap(ThreadPriorities::lowerRevocably);
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
      return Optional.empty();
    }
  }

  private synchronized void begins(Lowered thread) {
    living.add(thread);
    if (hurries > 0) {
      priorities.orElseThrow().raise(thread);
    }
  }

  private synchronized void ends(Lowered thread) {
    living.remove(thread);
    priorities.orElseThrow().ended(thread);
  }

  /** They are as any other threads; or, when all who asked for that are done, lower again. */
  synchronized void hurry(boolean hurry) {
    hurries += hurry ? 1 : -1;
    for (Lowered thread : living) {
      if (hurries > 0) {
        priorities.orElseThrow().raise(thread);
      } else {
        priorities.orElseThrow().lowerAgain(thread);
      }
    }
  }
}
