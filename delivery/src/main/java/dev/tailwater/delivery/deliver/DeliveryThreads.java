package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.neighbour.ThreadPriorities;
import dev.tailwater.delivery.neighbour.ThreadPriorities.Lowered;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.thread.ThreadMaker;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Makes the threads of a {@link Deliverer}. They lower their own priority, but only in ways that
 * can be taken back, since a call under way cannot be handed to another thread; at full speed they
 * have normal priority. Thread-safe.
 */
public final class DeliveryThreads implements ThreadFactory {
  private final Settings settings;
  private final AtomicInteger made = new AtomicInteger();
  private final Consumer<Throwable> unforeseen;

  @GuardedBy("this")
  private final Set<Lowered> living = new HashSet<>();

  /**
   * How threads are made.
   *
   * @param priorities lowers them; empty: they have normal priority
   */
  public record Settings(ThreadMaker maker, Optional<ThreadPriorities> priorities, Tempo tempo) {
    /** Threads of normal priority. */
    public static Settings normal() {
      return new Settings(ThreadMaker.platform(), Optional.empty(), new Tempo());
    }
  }

  /**
   * Creates a factory that follows the tempo.
   *
   * @param unforeseen told when a thread cannot be lowered; it works all the same
   */
  DeliveryThreads(Settings settings, Consumer<Throwable> unforeseen) {
    this.settings = settings;
    this.unforeseen = unforeseen;
    settings.tempo().onChange(Tempo.Mode.FULL_SPEED, this::tempoChanged);
  }

  @Override
  public Thread newThread(Runnable work) {
    return settings
        .maker()
        .unstarted(
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

  /** Never throws: the pool would go on counting a thread that ended here. */
  private Optional<Lowered> lower() {
    try {
      return settings.priorities().flatMap(ThreadPriorities::lowerRevocably);
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
      return Optional.empty();
    }
  }

  private ThreadPriorities priorities() {
    return settings.priorities().orElseThrow();
  }

  private synchronized void begins(Lowered thread) {
    living.add(thread);
    if (settings.tempo().is(Tempo.Mode.FULL_SPEED)) {
      priorities().raise(thread);
    }
  }

  private synchronized void ends(Lowered thread) {
    living.remove(thread);
    priorities().ended(thread);
  }

  private synchronized void tempoChanged() {
    boolean fullSpeed = settings.tempo().is(Tempo.Mode.FULL_SPEED);
    for (Lowered thread : living) {
      if (fullSpeed) {
        priorities().raise(thread);
      } else {
        priorities().lowerAgain(thread);
      }
    }
  }
}
