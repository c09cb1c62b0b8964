package dev.tailwater.delivery.risk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.problem.Problems;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Compares what is at risk with the bound whenever it is measured, and reports when the bound is
 * exceeded, and why: once, until it has been kept for a while or the reason is another.
 * Thread-safe.
 */
public final class BoundWatch {
  /** The subject of its problem. */
  public static final String SUBJECT = "max_at_risk";

  /** How many looks must agree, since one may be at a moment between two deliveries. */
  private static final int LOOKS_TO_REPORT = 2;

  private static final int LOOKS_TO_CHANGE_REASON = 5;
  private static final long KEPT_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final AtRiskBound bound;
  private final Problems problems;

  @GuardedBy("this")
  private int exceededLooks;

  @GuardedBy("this")
  private int otherReasonLooks;

  @GuardedBy("this")
  private Optional<Limit> reported = Optional.empty();

  @GuardedBy("this")
  private long lookedNanos;

  @GuardedBy("this")
  private long keptSinceNanos;

  @GuardedBy("this")
  private boolean looked;

  @GuardedBy("this")
  private long exceededNanos;

  @GuardedBy("this")
  private long mostBytes;

  @GuardedBy("this")
  private long oldestMillis;

  public BoundWatch(AtRiskBound bound, Problems problems) {
    this.bound = bound;
    this.problems = problems;
  }

  /**
   * How the bound has been kept since the start.
   *
   * @param limit why it is exceeded now; empty when it is kept
   * @param exceededMillis for how long it was exceeded in all
   * @param mostBytes the most bytes that were seen at risk
   * @param oldestMillis the greatest age that was seen
   */
  public record Report(
      AtRiskBound bound,
      Optional<Limit> limit,
      long exceededMillis,
      long mostBytes,
      long oldestMillis) {}

  /** Takes in what is at risk at a time, and what the reason would be if it is too much. */
  public synchronized void look(long nowNanos, long bytes, long ageMillis, Limit reason) {
    boolean exceeded =
        bytes > bound.bytes().orElse(Long.MAX_VALUE)
            || bound.age().filter(age -> ageMillis > age.toMillis()).isPresent();
    if (exceeded && looked) {
      exceededNanos += nowNanos - lookedNanos;
    }
    looked = true;
    lookedNanos = nowNanos;
    mostBytes = Math.max(mostBytes, bytes);
    oldestMillis = Math.max(oldestMillis, ageMillis);
    if (exceeded) {
      exceeded(reason);
    } else {
      kept(nowNanos);
    }
  }

  /**
   * Notes that nobody knows what is at risk, since the sources have not been looked at for too
   * long: that counts as too much.
   */
  public synchronized void unknown(long nowNanos) {
    if (looked) {
      exceededNanos += nowNanos - lookedNanos;
    }
    looked = true;
    lookedNanos = nowNanos;
    exceeded(Limit.UNSEEN);
  }

  @GuardedBy("this")
  private void exceeded(Limit reason) {
    exceededLooks++;
    otherReasonLooks = reported.filter(r -> r != reason).isPresent() ? otherReasonLooks + 1 : 0;
    boolean isNew = reported.isEmpty() && exceededLooks >= LOOKS_TO_REPORT;
    if (isNew || otherReasonLooks >= LOOKS_TO_CHANGE_REASON) {
      reported = Optional.of(reason);
      otherReasonLooks = 0;
    }
    reported.ifPresent(
        why ->
            problems.report(
                SUBJECT,
                (why == Limit.UNSEEN
                        ? "more may be at risk than max_at_risk allows ("
                        : "more is at risk than max_at_risk allows (")
                    + bound
                    + "): "
                    + why.reason(),
                Optional.of(why.hint()),
                false));
  }

  @GuardedBy("this")
  private void kept(long nowNanos) {
    if (exceededLooks > 0) {
      exceededLooks = 0;
      keptSinceNanos = nowNanos;
    }
    if (reported.isPresent() && nowNanos - keptSinceNanos >= KEPT_AGAIN_NANOS) {
      reported = Optional.empty();
      problems.resolved(SUBJECT);
    }
  }

  public synchronized Report report() {
    return new Report(
        bound, reported, TimeUnit.NANOSECONDS.toMillis(exceededNanos), mostBytes, oldestMillis);
  }
}
