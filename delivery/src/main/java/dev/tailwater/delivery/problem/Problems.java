package dev.tailwater.delivery.problem;

import dev.tailwater.posix.ErrnoException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The problems that are open now, one a subject, and one a subject and destination where there are
 * several: each is told once and counted from then on. One that comes and goes is told when it
 * lasts. Thread-safe.
 */
public final class Problems {
  /** The problems of all destinations. */
  private final ProblemRegistry registry;

  private final Optional<String> destination;
  private final ProblemListener listener;
  private final LongSupplier clockMillis;

  public Problems(ProblemListener listener, LongSupplier clockMillis) {
    this(new ProblemRegistry(), Optional.empty(), listener, clockMillis);
  }

  private Problems(
      ProblemRegistry registry,
      Optional<String> destination,
      ProblemListener listener,
      LongSupplier clockMillis) {
    this.registry = registry;
    this.destination = destination;
    this.listener = listener;
    this.clockMillis = clockMillis;
  }

  /** For what concerns one destination only; {@link #open} tells of it here too. */
  public Problems of(String destinationName) {
    return new Problems(registry, Optional.of(destinationName), listener, clockMillis);
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
    ProblemRegistry.Key key = new ProblemRegistry.Key(destination, subject);
    registry.report(key, problem, kind).ifPresent(listener::began);
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
    registry
        .resolve(new ProblemRegistry.Key(destination, subject), clockMillis.getAsLong())
        .ifPresent(listener::ended);
  }

  /** All problems, of whatever destination. */
  public List<Problem> open() {
    return registry.open();
  }
}
