package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.pack.PackPut;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.destination.DestinationException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Delivers packs one after the other: a pack is read with the earlier ones of its group, so none
 * may arrive before them. Thread-safe.
 */
final class PackLine {
  private final PackPut put;
  private final Retries retries;
  private final Consumer<DestinationException> refused;
  private final PackedArrival arrival;
  private final Consumer<Throwable> unforeseen;

  @GuardedBy("this")
  private final ArrayDeque<PackedDelivery> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean delivering;

  /** Repeats a call until it succeeds; empty when that is given up. */
  interface Retries {
    Optional<Boolean> retry(Retrier.Attempt<Boolean> attempt) throws InterruptedException;
  }

  /**
   * Creates a line.
   *
   * @param refused told of packs whose names are taken
   * @param unforeseen told of what must not happen
   */
  PackLine(
      PackPut put,
      Retries retries,
      Consumer<DestinationException> refused,
      PackedArrival arrival,
      Consumer<Throwable> unforeseen) {
    this.refused = refused;
    this.put = put;
    this.retries = retries;
    this.arrival = arrival;
    this.unforeseen = unforeseen;
  }

  synchronized void add(PackedDelivery pack) {
    waiting.add(pack);
  }

  /** Returns how many packs wait or are being delivered. */
  synchronized int count() {
    return waiting.size();
  }

  /** Delivers what waits; returns at once if another thread does so. */
  void deliverAll() {
    synchronized (this) {
      if (delivering) {
        return;
      }
      delivering = true;
    }
    boolean interrupted = false;
    boolean ended = false;
    try {
      for (Optional<PackedDelivery> pack = first(); pack.isPresent(); pack = first()) {
        try {
          interrupted |= !deliver(pack.get());
        } finally {
          removeFirst(); // Whatever happens: its buffer is given back.
        }
      }
      ended = true;
    } finally {
      if (!ended) {
        leave();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the next pack, which waits until it is delivered; when there is none, all is done. */
  private synchronized Optional<PackedDelivery> first() {
    delivering = !waiting.isEmpty();
    return Optional.ofNullable(waiting.peek());
  }

  private synchronized void removeFirst() {
    waiting.remove();
  }

  /** Leaves what waits to the next thread that delivers. */
  private synchronized void leave() {
    delivering = false;
  }

  /** Delivers a pack, or gives it up; false when the thread was interrupted meanwhile. */
  private boolean deliver(PackedDelivery pack) {
    boolean durable = false;
    boolean interrupted = false;
    try {
      durable = !arrival.isGivenUp(pack) && put(pack);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
    } finally {
      try {
        release(pack);
      } finally {
        end(pack, durable);
      }
    }
    return !interrupted;
  }

  private void release(PackedDelivery pack) {
    try {
      pack.release().run();
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e); // The archive may have the pack all the same.
    }
  }

  private void end(PackedDelivery pack, boolean durable) {
    try {
      if (durable) {
        arrival.arrived(pack);
      } else {
        arrival.givenUp(pack);
      }
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
    }
  }

  /**
   * Puts a pack; false when that is given up. One whose name is taken would hold up all that wait
   * for ever; those of the next group are read without it.
   */
  private boolean put(PackedDelivery pack) throws InterruptedException {
    Optional<Boolean> isPut = retries.retry(() -> put.isPut(pack.pack()));
    if (isPut.isPresent() && !isPut.get()) {
      refused.accept(put.refusal(pack.pack()));
    }
    return isPut.orElse(false);
  }

  /**
   * Gives up a pack that was added, since no thread was found for it: the next run finds it in the
   * files. Does nothing if a thread that delivers has come to it, or will.
   */
  void giveUp(PackedDelivery pack) {
    synchronized (this) {
      if (delivering || !waiting.remove(pack)) {
        return;
      }
    }
    release(pack);
    end(pack, false);
  }
}
