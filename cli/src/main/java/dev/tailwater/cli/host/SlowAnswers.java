package dev.tailwater.cli.host;

import dev.tailwater.cli.value.Printable;
import dev.tailwater.cli.value.Secrets;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Says on stderr what a command waits for when a destination does not answer for some seconds: once
 * for each call, and not while others are answered. Thread-safe.
 */
public final class SlowAnswers implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final PrintStream err;
  private final long patienceNanos;
  private final Map<Waiting, Boolean> waiting = new ConcurrentHashMap<>();
  private final Thread watch;
  private volatile long answeredNanos = System.nanoTime();
  private volatile boolean closed;

  /** A call of a destination. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws DestinationException;
  }

  private static final class Waiting {
    final String operation;
    final String place;
    final long sinceNanos = System.nanoTime();

    Waiting(String operation, String place) {
      this.operation = operation;
      this.place = place;
    }
  }

  SlowAnswers(PrintStream err, Duration patience) {
    this.err = err;
    this.patienceNanos = patience.toNanos();
    this.watch = Thread.ofPlatform().name("slow-answers").daemon(true).unstarted(this::watch);
  }

  /** Opens a destination; its slow answers are told until it is closed. */
  public static Destination open(
      DestinationOpener opener, String place, OpenIntent intent, Surroundings surroundings)
      throws DestinationException {
    return open(
        () -> opener.open(place, intent), Secrets.mask(place), surroundings.err(), PATIENCE);
  }

  static Destination open(
      Call<Destination> opening, String place, PrintStream err, Duration patience)
      throws DestinationException {
    SlowAnswers answers = new SlowAnswers(err, patience);
    answers.watch.start();
    boolean kept = false;
    try {
      Destination open = answers.during("open", place, opening);
      kept = true;
      return new WatchedDestination(open, answers);
    } finally {
      if (!kept) {
        answers.close();
      }
    }
  }

  /** Makes a call, and says what it is if it takes long. */
  <T> T during(String operation, String place, Call<T> call) throws DestinationException {
    Waiting one = new Waiting(operation, place);
    waiting.put(one, false);
    try {
      return call.make();
    } finally {
      waiting.remove(one);
      answeredNanos = System.nanoTime();
    }
  }

  private void watch() {
    while (!closed) {
      LockSupport.parkNanos(this, patienceNanos / 5);
      long now = System.nanoTime();
      if (now - answeredNanos >= patienceNanos) {
        waiting.forEach(
            (one, said) -> {
              if (!said && now - one.sinceNanos >= patienceNanos) {
                waiting.replace(one, true);
                say(one, now - one.sinceNanos);
              }
            });
      }
    }
  }

  private void say(Waiting one, long nanos) {
    err.println(
        Printable.text(
            "tailwater: waiting for the answer of "
                + one.place
                + " to '"
                + one.operation
                + "', for "
                + Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos))
                + " s now"));
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(watch);
  }
}
