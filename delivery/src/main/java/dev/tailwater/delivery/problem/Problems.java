package dev.tailwater.delivery.problem;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The open problems, one for each subject and, where there are several, each destination. The
 * listener is told of each once, and repetitions are counted. A problem that comes and goes is told
 * when it lasts. Thread-safe; the listener is called without a lock.
 *
 * <p>A listener that throws stops nobody who reports: that it could not be told is a problem too,
 * which is open until it can be told of something again.
 */
public final class Problems {
  private static final ProblemRegistry.Key TELLING =
      new ProblemRegistry.Key(Optional.empty(), "telling of problems");

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

  /** Returns a view for what concerns one destination only; {@link #open} lists that here too. */
  public Problems of(String destinationName) {
    return new Problems(registry, Optional.of(destinationName), listener, clockMillis);
  }

  public void report(String subject, String message, Optional<String> hint, boolean permanent) {
    report(subject, message, message, hint, permanent, true);
  }

  /**
   * Reports a problem whose message varies from one time to the next.
   *
   * @param kind what stays the same: the operation and the errno
   */
  public void report(
      String subject, String kind, String message, Optional<String> hint, boolean permanent) {
    report(subject, kind, message, hint, permanent, true);
  }

  /** Reports a problem that no bytes depend on: despite it, everything is delivered. */
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
    registry.report(key, problem, kind).ifPresent(begun -> tell(listener::began, begun));
  }

  /** Tells the listener; when it fails, only {@link #open} says so. */
  private void tell(Consumer<Problem> listens, Problem problem) {
    try {
      listens.accept(problem);
      var _ = registry.resolve(TELLING, clockMillis.getAsLong()); // The listener never heard of it.
    } catch (RuntimeException | Error e) {
      String message = "the listener for problems has failed: " + e;
      var _ =
          registry.report(
              TELLING,
              new Problem(
                  TELLING.destination(),
                  TELLING.subject(),
                  message,
                  Optional.of(
                      "the agent goes on; a message about a problem, or its end, was lost; the"
                          + " problems that are open are listed with this one"),
                  false,
                  false,
                  1,
                  clockMillis.getAsLong()),
              message);
    }
  }

  public void report(String subject, Exception failure, String hint) {
    // When many files fail for one reason, such as a lack of descriptors, the listener hears of
    // one.
    String kind =
        failure instanceof ErrnoException e
            ? e.operation() + " " + e.errno()
            : String.valueOf(failure.getMessage());
    report(subject, kind, message(subject, failure), Optional.of(hint), false);
  }

  /** A descriptor says nothing to a user, so the message names what the problem is about. */
  private static String message(String subject, Exception failure) {
    return failure instanceof ErrnoException e && subject.startsWith("/")
        ? e.messageAbout(subject)
        : String.valueOf(failure.getMessage());
  }

  /** Reports a failure that no bytes depend on. */
  public void reportHarmless(String subject, Exception failure, String hint) {
    reportHarmless(subject, message(subject, failure), Optional.of(hint), false);
  }

  public void resolved(String subject) {
    registry
        .resolve(new ProblemRegistry.Key(destination, subject), clockMillis.getAsLong())
        .ifPresent(over -> tell(listener::ended, over));
  }

  /**
   * Notes that there is no problem with a file: asked of every file, so it costs next to nothing.
   */
  public void resolved(PosixPath file) {
    if (!registry.isEmpty()) {
      resolved(file.toString());
    }
  }

  /** Returns all open problems, of whatever destination. */
  public List<Problem> open() {
    return registry.open();
  }
}
