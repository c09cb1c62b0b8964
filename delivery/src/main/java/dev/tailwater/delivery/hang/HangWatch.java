package dev.tailwater.delivery.hang;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.posix.FileCalls;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks which calls on files below sources do not return, and reports each until it does. While the
 * watch thread is in one, or in a look that takes as long, nobody knows what is at risk.
 * Thread-safe.
 */
public final class HangWatch implements AutoCloseable {
  /** The name of the thread that looks at all sources. */
  public static final String WATCH_THREAD = "watch";

  /** The name of the thread that opens new files at once. */
  public static final String NAMES_THREAD = "watch-names";

  /** What the names of threads begin with that read files for a destination. */
  public static final String SEAL_THREADS = "seal-";

  /** The subject of the problem that no source is looked at. */
  public static final String UNSEEN = "looking at sources";

  /** A call that takes longer than this hangs. */
  private static final long LONGEST_CALL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A look at many files takes longer than a call, also where every call returns. */
  private static final long LONGEST_LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long CALM_MILLIS = 2_000;
  private static final long BUSY_MILLIS = 500;

  private final FileCalls calls;
  private final CallSlots slots;
  private final Problems problems;
  private final LongSupplier nanoClock;
  private final HangListener listener;
  private final Thread thread = Thread.ofPlatform().name("hangs").daemon(true).unstarted(this::run);

  @GuardedBy("this")
  private final Map<CallSlot, Seen> before = new HashMap<>();

  @GuardedBy("this")
  private long lookedNanos;

  /** For how long the watch thread is in its present look. */
  private volatile long lookNanos;

  /** For how long no source was looked at; 0 unless that is reported. */
  private volatile long unseenNanos;

  /** What a thread did at the last look. */
  private static final class Seen {
    CallSlot.Doing doing;
    long inCallNanos;
    long inLookNanos;
    Optional<String> reported = Optional.empty();

    Seen(CallSlot.Doing doing) {
      this.doing = doing;
    }
  }

  /**
   * Creates a watch.
   *
   * @param calls makes no notes of calls
   */
  public HangWatch(
      FileCalls calls,
      CallSlots slots,
      Problems problems,
      LongSupplier nanoClock,
      HangListener listener) {
    this.calls = calls;
    this.slots = slots;
    this.problems = problems;
    this.nanoClock = nanoClock;
    this.listener = listener;
    this.lookedNanos = nanoClock.getAsLong();
  }

  /** Starts its thread; where the machine has none to give, nobody is told of what hangs. */
  public void start() {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      new ThreadShortage(problems, "the thread that tells which calls hang").report(e);
    }
  }

  private void run() {
    new WorkLoop(problems, "looking for calls that hang")
        .run(
            () -> {
              Thread.sleep(Duration.ofMillis(look() ? BUSY_MILLIS : CALM_MILLIS));
              return true;
            });
  }

  /** Looks at all threads; returns whether any was in a call. */
  public synchronized boolean look() {
    long now = nanoClock.getAsLong();
    // Time in which nobody looked does not count: the machine stood still, or the process.
    long tookNanos = Math.min(now - lookedNanos, 2 * TimeUnit.MILLISECONDS.toNanos(CALM_MILLIS));
    lookedNanos = now;
    before.entrySet().removeIf(entry -> isGone(entry.getKey(), entry.getValue()));
    boolean busy = false;
    for (CallSlot slot : slots.living()) {
      Optional<CallSlot.Doing> doing = slot.doing();
      if (doing.isEmpty()) {
        before.computeIfPresent(slot, (_, seen) -> over(slot, seen));
        busy = true;
      } else {
        busy |= doing.get().isInCall();
        look(slot, doing.get(), tookNanos);
      }
    }
    return busy;
  }

  private boolean isGone(CallSlot slot, Seen seen) {
    if (slot.thread().isAlive()) {
      return false;
    }
    over(slot, seen);
    return true;
  }

  @GuardedBy("this")
  private void look(CallSlot slot, CallSlot.Doing doing, long tookNanos) {
    Seen seen = before.computeIfAbsent(slot, _ -> new Seen(doing));
    boolean sameLook = doing.rests() == seen.doing.rests() && !doing.isResting();
    boolean sameCall = doing.isInCall() && doing.number() == seen.doing.number();
    seen.inLookNanos = sameLook ? seen.inLookNanos + tookNanos : 0;
    seen.inCallNanos = sameCall ? seen.inCallNanos + tookNanos : 0;
    seen.doing = doing;
    boolean isWatch = slot.thread().getName().equals(WATCH_THREAD);
    boolean callHangs = seen.inCallNanos >= LONGEST_CALL_NANOS;
    boolean hangs = callHangs || (isWatch && seen.inLookNanos >= LONGEST_LOOK_NANOS);
    if (isWatch) {
      lookNanos = seen.inLookNanos;
      unseenNanos = hangs ? Math.max(seen.inLookNanos, seen.inCallNanos) : 0;
    }
    if (!hangs) {
      over(slot, seen);
    } else if (seen.reported.isEmpty() && staysUntilItSaysSo(slot, seen, callHangs)) {
      seen.reported = Optional.of(report(Hang.of(calls, slot.thread(), doing), callHangs));
    }
  }

  /**
   * Has the thread say itself that it goes on: a drain may be about to report what is open. It
   * waits until this look is over then, so that nobody else is at work on what is taken from it.
   *
   * @return false when it has gone on already
   */
  @GuardedBy("this")
  private boolean staysUntilItSaysSo(CallSlot slot, Seen seen, boolean callHangs) {
    if (callHangs) {
      slot.atEnd(() -> returned(slot));
    } else {
      slot.atRest(() -> returned(slot));
    }
    return slot.doing()
        .filter(
            now ->
                callHangs ? now.number() == seen.doing.number() : now.rests() == seen.doing.rests())
        .isPresent();
  }

  private synchronized void returned(CallSlot slot) {
    Seen seen = before.get(slot);
    if (seen != null) {
      over(slot, seen);
    }
  }

  private Seen over(CallSlot slot, Seen seen) {
    seen.reported.ifPresent(problems::resolved);
    seen.reported = Optional.empty();
    if (slot.thread().getName().equals(WATCH_THREAD)) {
      unseenNanos = 0;
    }
    return seen;
  }

  /** Reports a call that hangs; returns the subject of the problem. */
  private String report(Hang hang, boolean callHangs) {
    String thread = hang.thread().getName();
    String what =
        hang.operation()
            + " "
            + hang.path()
            + (callHangs ? " does not return" : " and others before it take very long");
    if (thread.equals(WATCH_THREAD)) {
      report(
          UNSEEN,
          "no source is looked at, since "
              + what
              + ": what is written meanwhile is at risk, and nobody knows how much that is",
          "the file system or its server does not answer; when it does, the agent goes on by"
              + " itself. An agent of its own for such a source would not hold up the others");
      return UNSEEN;
    }
    if (thread.startsWith(SEAL_THREADS)) {
      String subject = "reading " + hang.path();
      report(
          subject,
          what
              + ": the file stays at risk"
              + (listener.hangs(hang.thread())
                  ? "; others are read by another thread"
                  : "; others that this thread should read wait for it"),
          "the file system or its server does not answer; when it does, the agent goes on by"
              + " itself");
      return subject;
    }
    String subject = thread + " " + hang.path();
    problems.reportHarmless(
        subject,
        what + (thread.equals(NAMES_THREAD) ? ": new files are opened later than usual" : ""),
        Optional.of("the file system or its server does not answer; the agent waits for it"),
        false);
    return subject;
  }

  private void report(String subject, String message, String hint) {
    problems.report(subject, message, Optional.of(hint), false);
  }

  /** Returns for how long the watch thread has been in its present look, as of the last look. */
  public long lookMillis() {
    return TimeUnit.NANOSECONDS.toMillis(lookNanos);
  }

  /**
   * Returns for how long no source has been looked at; 0 unless that lasts too long. What is at
   * risk is not known then.
   */
  public long unseenMillis() {
    return TimeUnit.NANOSECONDS.toMillis(unseenNanos);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
