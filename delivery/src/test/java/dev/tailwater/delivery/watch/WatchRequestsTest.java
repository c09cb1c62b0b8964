package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WatchRequestsTest {
  private final WatchRequests requests = new WatchRequests();

  @Test
  void doesWorkInTheOrderOfItsOrders() {
    List<String> done = new ArrayList<>();
    CompletableFuture<Void> first = requests.order(() -> done.add("first"));
    CompletableFuture<Void> second = requests.order(() -> done.add("second"));
    requests.executeOrders(() -> done.add("after"));
    assertEquals(List.of("first", "after", "second", "after"), done);
    assertTrue(first.isDone() && second.isDone());
  }

  @Test
  void goesOnAfterWorkThatFails() {
    IllegalStateException why = new IllegalStateException("no");
    CompletableFuture<Void> failing =
        requests.order(
            () -> {
              throw why;
            });
    CompletableFuture<Void> next = requests.order(() -> {});
    requests.executeOrders(() -> {});
    assertSame(why, failing.exceptionNow());
    assertEquals(CompletableFuture.State.SUCCESS, next.state());
  }

  @Test
  void answersWorkThatEndsTheThread() {
    CompletableFuture<Void> failing =
        requests.order(
            () -> {
              throw new OutOfMemoryError("no room");
            });
    CompletableFuture<Void> next = requests.order(() -> {});
    assertThrows(OutOfMemoryError.class, () -> requests.executeOrders(() -> {}));
    assertTrue(failing.isCompletedExceptionally());
    assertFalse(next.isDone(), "it is done at the next look");
  }

  @Test
  void servesScansThatAreGivenBackOnceMore() {
    CompletableFuture<Void> scan = requests.askForScan();
    List<CompletableFuture<Void>> taken = requests.takeScans();
    assertEquals(List.of(), requests.takeScans());
    requests.askAgain(taken);
    assertEquals(List.of(scan), requests.takeScans());
  }

  @Test
  void answersEverythingWhenItEndsAndAfterIt() {
    CancellationException why = new CancellationException("the watch is closed");
    CompletableFuture<Void> scan = requests.askForScan();
    CompletableFuture<Void> work = requests.order(() -> {});
    requests.end(why);
    requests.end(new CancellationException("a later reason"));
    assertTrue(requests.hasEnded());
    assertTrue(scan.isCompletedExceptionally() && work.isCompletedExceptionally());
    assertSame(why, requests.askForScan().handle((_, e) -> e).join());
    assertSame(why, requests.order(() -> {}).handle((_, e) -> e).join());
  }
}
