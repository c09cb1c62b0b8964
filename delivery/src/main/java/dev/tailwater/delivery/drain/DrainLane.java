package dev.tailwater.delivery.drain;

import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.route.Pacer;
import dev.tailwater.delivery.seal.DueQueue;
import dev.tailwater.delivery.tail.Tail;
import dev.tailwater.destination.Destination;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The stages of one destination that a drain drives.
 *
 * @param required whether the drain's success depends on it
 * @param speedTuner what makes it faster than usual
 * @param background what rests meanwhile
 * @param tails those that it has now
 */
public record DrainLane(
    String name,
    boolean required,
    Supplier<List<Tail>> tails,
    DueQueue queue,
    Deliverer deliverer,
    DeliveryCounters counters,
    Pacer pacer,
    Optional<SpeedTuner> speedTuner,
    Background background,
    Destination destination) {

  /** Work that can wait. */
  @FunctionalInterface
  public interface Background {
    /** It rests from now on; or, when all who asked for that are done, it goes on. */
    void hurry(boolean hurry);
  }

  /**
   * Hurries from now on; or goes on steadily.
   *
   * @param atAnyPrice there is a deadline
   */
  void hurry(boolean hurry, boolean atAnyPrice) {
    if (atAnyPrice) {
      speedTuner.ifPresent(faster -> faster.hurry(hurry));
    }
    queue.hurry(hurry);
    pacer.hurry(hurry);
    background.hurry(hurry);
  }

  boolean isIdle() {
    // The queue first: a worker hands its segment over before it gives its tail back, so what has
    // left the queue is under way by now.
    return (queue.isEmpty() || queue.hasOnlyDeferred()) && deliverer.underWay() == 0;
  }
}
