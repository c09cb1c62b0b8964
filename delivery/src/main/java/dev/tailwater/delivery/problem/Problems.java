package dev.tailwater.delivery.problem;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The problems that are open now, one a subject. Thread-safe. */
public final class Problems {
  private final Map<String, Problem> open = new LinkedHashMap<>();
  private final ProblemListener listener;
  private final LongSupplier clockMillis;

  public Problems(ProblemListener listener, LongSupplier clockMillis) {
    this.listener = listener;
    this.clockMillis = clockMillis;
  }

  public void report(String subject, String message, Optional<String> hint, boolean permanent) {
    Problem problem;
    synchronized (this) {
      Problem before = open.get(subject);
      if (before != null && before.message().equals(message)) {
        open.put(subject, before.again());
        return;
      }
      long since = before == null ? clockMillis.getAsLong() : before.sinceMillis();
      problem = new Problem(subject, message, hint, permanent, 1, since);
      open.put(subject, problem);
    }
    listener.began(problem);
  }

  public void report(String subject, Exception failure, String hint) {
    report(subject, String.valueOf(failure.getMessage()), Optional.of(hint), false);
  }

  public void resolved(String subject) {
    Problem problem;
    synchronized (this) {
      problem = open.remove(subject);
    }
    if (problem != null) {
      listener.ended(problem);
    }
  }

  public synchronized List<Problem> open() {
    return new ArrayList<>(open.values());
  }
}
