package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * What other threads ask of the watch thread: to scan everything, and to do some work between two
 * looks. Everything asked for is answered: done, failed, or that nobody will do it any more. Safe
 * for use by several threads.
 */
final class WatchRequests {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<CompletableFuture<Void>> scans = new ArrayList<>();

  @GuardedBy("lock")
  private final Queue<Order> orders = new ArrayDeque<>();

  /** Why nobody serves scans and orders any more. */
  @GuardedBy("lock")
  private Optional<Throwable> end = Optional.empty();

  private record Order(Runnable work, CompletableFuture<Void> done) {}

  /** Asks for a scan; the future fails at once if nobody makes one any more. */
  CompletableFuture<Void> askForScan() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (lock) {
      if (end.isPresent()) {
        return CompletableFuture.failedFuture(end.get());
      }
      scans.add(done);
    }
    return done;
  }

  /** Orders some work; the future fails at once if nobody does it any more. */
  CompletableFuture<Void> order(Runnable work) {
    Order order = new Order(work, new CompletableFuture<>());
    synchronized (lock) {
      if (end.isPresent()) {
        return CompletableFuture.failedFuture(end.get());
      }
      orders.add(order);
    }
    return order.done();
  }

  /** Takes all scans that are asked for; the caller answers them. */
  List<CompletableFuture<Void>> takeScans() {
    synchronized (lock) {
      List<CompletableFuture<Void>> taken = List.copyOf(scans);
      scans.clear();
      return taken;
    }
  }

  /** Gives scans back that were taken and not answered. */
  void askAgain(List<CompletableFuture<Void>> unserved) {
    synchronized (lock) {
      scans.addAll(unserved);
    }
  }

  /**
   * Does the work that is ordered, in order. An exception answers its order and no other; an error
   * is thrown, too.
   *
   * @param afterEach what to do after each work that succeeded, before it is answered
   */
  void executeOrders(Runnable afterEach) {
    for (Optional<Order> next = nextOrder(); next.isPresent(); next = nextOrder()) {
      CompletableFuture<Void> done = next.get().done();
      try {
        next.get().work().run();
        afterEach.run();
        done.complete(null);
      } catch (RuntimeException e) {
        done.completeExceptionally(e);
      } catch (Error e) {
        done.completeExceptionally(e);
        throw e;
      }
    }
  }

  private Optional<Order> nextOrder() {
    synchronized (lock) {
      return Optional.ofNullable(orders.poll());
    }
  }

  /** Answers everything with a failure, also what is asked for later. The first reason stays. */
  void end(Throwable why) {
    List<CompletableFuture<Void>> unserved = new ArrayList<>();
    synchronized (lock) {
      end = end.or(() -> Optional.of(why));
      unserved.addAll(scans);
      orders.forEach(order -> unserved.add(order.done()));
      scans.clear();
      orders.clear();
    }
    unserved.forEach(done -> done.completeExceptionally(why));
  }

  /** Returns whether nobody serves requests any more. */
  boolean hasEnded() {
    synchronized (lock) {
      return end.isPresent();
    }
  }
}
