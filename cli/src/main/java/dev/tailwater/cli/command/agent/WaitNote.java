package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.Printable;
import java.time.Duration;

/** Says on stderr what a command waits for, if this is not closed soon. */
final class WaitNote implements AutoCloseable {
  /** As long as an agent waits before it reports a call that does not return. */
  static final Duration AFTER = Duration.ofSeconds(5);

  private final Thread thread;

  private WaitNote(Thread thread) {
    this.thread = thread;
  }

  /** Begins to wait. */
  static WaitNote begin(Surroundings surroundings, Duration after, String what) {
    // No virtual thread: the call that hangs may occupy the only carrier.
    return new WaitNote(
        Thread.ofPlatform()
            .name("wait-note")
            .daemon(true)
            .start(
                () -> {
                  try {
                    Thread.sleep(after);
                    surroundings.err().println("tailwater: " + Printable.text(what));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // Closed.
                  }
                }));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
