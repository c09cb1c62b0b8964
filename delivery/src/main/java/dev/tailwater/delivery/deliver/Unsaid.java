package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.stream.StreamProgress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The streams of which the archive was to say something, and that was given up. Nobody else may try
 * that again: the file may be gone. It is a problem until all is said. Thread-safe.
 */
final class Unsaid {
  private static final String HINT =
      "this is about names, ends and attributes of files, which may be missing in the archive. It is"
          + " tried again as soon as the destination does something else, and by the next run.";

  private final Problems problems;
  private final String subject;

  /** All streams of which something is unsaid. */
  @GuardedBy("this")
  private final Set<StreamProgress> all = new HashSet<>();

  /** Those of them for which nothing is under way, each with what tries again. */
  @GuardedBy("this")
  private final Map<StreamProgress, Runnable> waiting = new LinkedHashMap<>();

  Unsaid(URI destination, Problems problems) {
    this.problems = problems;
    this.subject = "records at " + destination;
  }

  /**
   * Notes that what is to be said of a stream was given up.
   *
   * @param again tries again; returns at once
   */
  void givenUp(StreamProgress stream, Runnable again) {
    synchronized (this) {
      all.add(stream);
      waiting.put(stream, again);
    }
    report(stream);
    settle(true);
  }

  /** Without the lock: who listens may take long. */
  private void report(StreamProgress stream) {
    problems.report(
        subject,
        subject,
        "the archive does not say everything of " + stream.path(),
        Optional.of(HINT),
        false);
  }

  /** Notes that everything is said of a stream. */
  void said(StreamProgress stream) {
    synchronized (this) {
      if (!all.remove(stream)) {
        return;
      }
      waiting.remove(stream);
      if (!all.isEmpty()) {
        return;
      }
    }
    problems.resolved(subject);
    settle(false);
  }

  /**
   * Tells what became true while the opposite was told: whoever tells last has looked after it.
   *
   * @param told whether it was told that something is unsaid
   */
  private void settle(boolean told) {
    boolean isOpen = told;
    for (Optional<StreamProgress> now = first(); now.isPresent() != isOpen; now = first()) {
      now.ifPresentOrElse(this::report, () -> problems.resolved(subject));
      isOpen = now.isPresent();
    }
  }

  private synchronized Optional<StreamProgress> first() {
    return all.stream().findFirst();
  }

  /** Tries again what has waited longest, for at most so many streams. */
  void retry(int most) {
    next(most).forEach(Runnable::run);
  }

  private synchronized List<Runnable> next(int most) {
    List<Runnable> next = new ArrayList<>();
    Iterator<Runnable> oldest = waiting.values().iterator();
    while (next.size() < most && oldest.hasNext()) {
      next.add(oldest.next());
      oldest.remove();
    }
    return next;
  }
}
