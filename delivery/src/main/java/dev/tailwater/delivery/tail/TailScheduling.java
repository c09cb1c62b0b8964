package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalLong;

/**
 * What decides, beside its unread bytes, when a tail is sealed next: when it had its last turn,
 * whether that failed, and how well its bytes compress. Thread-safe.
 */
public final class TailScheduling {
  @GuardedBy("this")
  private boolean isDeferred;

  @GuardedBy("this")
  private long deferredUntilNanos;

  @GuardedBy("this")
  private boolean wasServed;

  @GuardedBy("this")
  private long servedNanos;

  @GuardedBy("this")
  private double rawPerStagedByte = 1;

  /** Returns when a worker last released the tail. */
  public synchronized OptionalLong servedNanos() {
    return wasServed ? OptionalLong.of(servedNanos) : OptionalLong.empty();
  }

  /** Notes that a worker has released the tail. */
  public synchronized void served(long nowNanos) {
    wasServed = true;
    servedNanos = nowNanos;
  }

  /** Returns until when the tail is deferred after a failure. */
  public synchronized OptionalLong deferredUntilNanos() {
    return isDeferred ? OptionalLong.of(deferredUntilNanos) : OptionalLong.empty();
  }

  /** Defers the tail after a failure: nothing can be done for it before that time. */
  public synchronized void defer(long untilNanos) {
    isDeferred = true;
    deferredUntilNanos = untilNanos;
  }

  /** Ends the deferral. */
  public synchronized void undefer() {
    isDeferred = false;
  }

  /** Returns how many raw bytes each staged byte of the last segment held. */
  public synchronized double rawPerStagedByte() {
    return rawPerStagedByte;
  }

  /** Notes how well a segment was compressed. */
  public synchronized void compressed(long rawBytes, long stagedBytes) {
    rawPerStagedByte = Math.clamp((double) rawBytes / Math.max(1, stagedBytes), 0.5, 1000);
  }
}
