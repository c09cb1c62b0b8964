package dev.tailwater.cli.ship;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A question to a file system, which gets no answer from a file server that hangs. */
final class TimedLook {
  /** Such a server must not keep the agent from starting. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** What came of it. */
  enum Answer {
    YES,
    NO,
    NONE_IN_TIME
  }

  private TimedLook() {}

  /** Asks on a thread of its own, which is left behind if it does not answer in a second. */
  static Answer ask(String name, BooleanSupplier question) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .name(name)
            .daemon(true)
            .start(() -> answer.complete(question.getAsBoolean() ? Answer.YES : Answer.NO));
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer.getNow(Answer.NONE_IN_TIME);
  }
}
