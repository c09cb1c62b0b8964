package dev.tailwater.cli.host;

import dev.tailwater.cli.value.Printable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says once on stderr what a command waits for, if it comes no further for some seconds.
 * Thread-safe.
 */
public final class WaitNote implements AutoCloseable {
  /** As long as an agent waits before it reports a call that does not return. */
  public static final Duration AFTER = Duration.ofSeconds(5);

  private final long patienceNanos;
  private final LongSupplier nanoClock;
  private final Thread thread;
  private volatile long progressNanos;

  private WaitNote(Surroundings surroundings, Duration after, String what, LongSupplier nanoClock) {
    this.patienceNanos = after.toNanos();
    this.nanoClock = nanoClock;
    this.progressNanos = nanoClock.getAsLong();
    // No virtual thread: the call that hangs may occupy the only carrier.
    this.thread =
        Thread.ofPlatform()
            .name("wait-note")
            .daemon(true)
            .unstarted(
                () -> {
                  if (isStuck()) {
                    surroundings.err().println("tailwater: " + Printable.text(what));
                  }
                });
  }

  /** Begins to wait. */
  public static WaitNote begin(Surroundings surroundings, Duration after, String what) {
    return begin(surroundings, after, what, System::nanoTime);
  }

  static WaitNote begin(
      Surroundings surroundings, Duration after, String what, LongSupplier nanoClock) {
    WaitNote note = new WaitNote(surroundings, after, what, nanoClock);
    note.thread.start();
    return note;
  }

  /** Notes that the command comes further. */
  public void progress() {
    progressNanos = nanoClock.getAsLong();
  }

  /** Waits until nothing has come further for as long as that; false when this is closed before. */
  private boolean isStuck() {
    try {
      for (long left = left(); left > 0; left = left()) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
      return false;
    }
  }

  private long left() {
    return patienceNanos - (nanoClock.getAsLong() - progressNanos);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
