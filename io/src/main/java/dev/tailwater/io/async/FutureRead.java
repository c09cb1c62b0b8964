package dev.tailwater.io.async;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One request that nobody waits for. */
final class FutureRead implements Consumer<Request> {
  private final CallGate gate;
  private final CompletableFuture<ReadResult> future = new CompletableFuture<>();

  /**
   * @param gate is left when the request is done
   */
  FutureRead(CallGate gate) {
    this.gate = gate;
  }

  CompletableFuture<ReadResult> future() {
    return future;
  }

  @Override
  public void accept(Request request) {
    ReadResult result = null;
    Throwable thrown = request.breakdown();
    if (thrown == null) {
      result = request.result();
    }
    request.end();
    gate.leave(); // first: what the future starts may close the reads
    if (thrown == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(thrown);
    }
  }
}
