package dev.tailwater.io.async;

import java.util.concurrent.CompletableFuture;

/** One request that nobody waits for. */
final class FutureRead implements RequestOwner {
  private final Callers callers;
  private final CompletableFuture<ReadResult> future = new CompletableFuture<>();

  /**
   * @param callers is left when the request is done
   */
  FutureRead(Callers callers) {
    this.callers = callers;
  }

  CompletableFuture<ReadResult> future() {
    return future;
  }

  @Override
  public void finished(Request request) {
    ReadResult result = null;
    Throwable thrown = request.breakdown();
    if (thrown == null) {
      result = request.result();
    }
    request.end();
    callers.leave(); // first: what the future starts may close the reads
    if (thrown == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(thrown);
    }
  }
}
