package dev.tailwater.delivery.problem;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The problems that are open now, one a subject, and one a subject and destination where there are
 * several. Thread-safe.
 */
public final class Problems {
  private record Key(Optional<String> destination, String subject) {}

  /** Of all destinations; guards itself. */
  private final Map<Key, Problem> open;

  private final Optional<String> destination;
  private final ProblemListener listener;
  private final LongSupplier clockMillis;

  public Problems(ProblemListener listener, LongSupplier clockMillis) {
    this(new LinkedHashMap<>(), Optional.empty(), listener, clockMillis);
  }

  private Problems(
      Map<Key, Problem> open,
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
    report(subject, message, hint, permanent, true);
  }

  /** Of something that no bytes depend on: with it alone everything is delivered. */
  public void reportHarmless(
      String subject, String message, Optional<String> hint, boolean permanent) {
    report(subject, message, hint, permanent, false);
  }

  private void report(
      String subject,
      String message,
      Optional<String> hint,
      boolean permanent,
      boolean bytesDependOnIt) {
    Problem problem;
    Key key = new Key(destination, subject);
    synchronized (open) {
      Problem before = open.get(key);
      if (before != null && before.message().equals(message)) {
        open.put(key, before.again());
        return;
      }
      long since = before == null ? clockMillis.getAsLong() : before.sinceMillis();
      problem =
          new Problem(destination, subject, message, hint, permanent, bytesDependOnIt, 1, since);
      open.put(key, problem);
    }
    listener.began(problem);
  }

  public void report(String subject, Exception failure, String hint) {
    report(subject, String.valueOf(failure.getMessage()), Optional.of(hint), false);
  }

  public void resolved(String subject) {
    Problem problem;
    synchronized (open) {
      problem = open.remove(new Key(destination, subject));
    }
    if (problem != null) {
      listener.ended(problem);
    }
  }

  /** All problems, of whatever destination. */
  public List<Problem> open() {
    synchronized (open) {
      return new ArrayList<>(open.values());
    }
  }
}
