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
   * @param unforeseen told of what must not happen
   */
  PackLine(PackPut put, Retries retries, PackedArrival arrival, Consumer<Throwable> unforeseen) {
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
    for (Optional<PackedDelivery> pack = first(); pack.isPresent(); pack = next()) {
      interrupted |= !deliver(pack.get());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Optional<PackedDelivery> first() {
    delivering = !waiting.isEmpty();
    return Optional.ofNullable(waiting.peek());
  }

  /** Removes the pack that has been delivered, and returns the next. */
  private synchronized Optional<PackedDelivery> next() {
    waiting.poll();
    return first();
  }

  /** Delivers a pack, or gives it up; false when the thread was interrupted meanwhile. */
  private boolean deliver(PackedDelivery pack) {
    boolean durable = false;
    boolean interrupted = false;
    try {
      durable = !arrival.isGivenUp(pack) && retries.retry(() -> putOnce(pack)).isPresent();
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
    } finally {
      pack.release().run();
    }
    try {
      if (durable) {
        arrival.arrived(pack);
      } else {
        arrival.givenUp(pack);
      }
    } catch (RuntimeException | Error e) {
      unforeseen.accept(e);
    }
    return !interrupted;
  }

  private boolean putOnce(PackedDelivery pack) throws DestinationException {
    put.put(pack.pack());
    return true;
  }

  /** Gives up what waits, since nobody will deliver it; the next run finds it in the files. */
  void clear() {
    while (true) {
      PackedDelivery pack;
      synchronized (this) {
        if (delivering || waiting.isEmpty()) {
          return;
        }
        pack = waiting.poll();
      }
      pack.release().run();
      arrival.givenUp(pack);
    }
  }
}
