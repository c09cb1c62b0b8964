package dev.tailwater.delivery.problem;

import dev.tailwater.posix.ErrnoException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The problems that are open now, one a subject, and one a subject and destination where there are
 * several: each is told once and counted from then on. Thread-safe.
 */
public final class Problems {
  private record Key(Optional<String> destination, String subject) {}

  /** Of all destinations; guards itself. */
  private final Map<Key, ToldProblem> open;

  private final Optional<String> destination;
  private final ProblemListener listener;
  private final LongSupplier clockMillis;

  public Problems(ProblemListener listener, LongSupplier clockMillis) {
    this(new LinkedHashMap<>(), Optional.empty(), listener, clockMillis);
  }

  private Problems(
      Map<Key, ToldProblem> open,
      Optional<String> destination,
      ProblemListener listener,
      LongSupplier clockMillis) {
    this.open = open;
    this.destination = destination;
    this.listener = listener;
    this.clockMillis = clockMillis;
  }

  /** For what concerns one destination only; {@link #open} tells of it here too. */
  public Problems of(String destinationName) {
    return new Problems(open, Optional.of(destinationName), listener, clockMillis);
  }

  public void report(String subject, String message, Optional<String> hint, boolean permanent) {
    report(subject, message, message, hint, permanent, true);
  }

  /**
   * The same where the message varies from one time to the next.
   *
   * @param kind what stays the same: the operation and the errno
   */
  public void report(
      String subject, String kind, String message, Optional<String> hint, boolean permanent) {
    report(subject, kind, message, hint, permanent, true);
  }

  /** Of something that no bytes depend on: with it alone everything is delivered. */
  public void reportHarmless(
      String subject, String message, Optional<String> hint, boolean permanent) {
    report(subject, message, message, hint, permanent, false);
  }

  private void report(
      String subject,
      String kind,
      String message,
      Optional<String> hint,
      boolean permanent,
      boolean bytesDependOnIt) {
    Problem problem =
        new Problem(
            destination,
            subject,
            message,
            hint,
            permanent,
            bytesDependOnIt,
            1,
            clockMillis.getAsLong());
    Key key = new Key(destination, subject);
    synchronized (open) {
      ToldProblem before = open.get(key);
      if (before == null) {
        open.put(key, new ToldProblem(problem, kind));
      } else if (before.again(problem, kind)) {
        problem = before.latest();
      } else {
        return;
      }
    }
    listener.began(problem);
  }

  public void report(String subject, Exception failure, String hint) {
    // Of many files that fail for one reason, as when there is no descriptor left, one is told.
    String kind =
        failure instanceof ErrnoException e
            ? e.operation() + " " + e.errno()
            : String.valueOf(failure.getMessage());
    report(subject, kind, String.valueOf(failure.getMessage()), Optional.of(hint), false);
  }

  /** The same of a failure. */
  public void reportHarmless(String subject, Exception failure, String hint) {
    reportHarmless(subject, String.valueOf(failure.getMessage()), Optional.of(hint), false);
  }

  public void resolved(String subject) {
    ToldProblem over;
    synchronized (open) {
      over = open.remove(new Key(destination, subject));
    }
    if (over != null) {
      listener.ended(over.latest());
    }
  }

  /** All problems, of whatever destination. */
  public List<Problem> open() {
    synchronized (open) {
      return open.values().stream().map(ToldProblem::latest).toList();
    }
  }
}
