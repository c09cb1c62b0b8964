package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compressed bytes of a short segment, before encryption, kept so that they can be merged into
 * a longer one without compressing them again. They may be dropped at any time. Thread-safe.
 */
public final class HeldFrames {
  private final FrameShare share;

  @GuardedBy("share")
  private byte @Nullable [] units;

  @GuardedBy("share")
  private int holders = 1;

  HeldFrames(FrameShare share, byte[] units) {
    this.share = share;
    this.units = units;
  }

  /** Returns the bytes, which must not be changed; empty when they were dropped. */
  public Optional<byte[]> units() {
    synchronized (share) {
      return Optional.ofNullable(units);
    }
  }

  /** Adds a holder: one more destination may merge them. */
  public HeldFrames hold() {
    synchronized (share) {
      holders++;
      return this;
    }
  }

  /** Removes a holder; without any, the bytes are dropped. */
  public void release() {
    synchronized (share) {
      holders--;
      if (holders == 0) {
        share.remove(this);
      }
    }
  }

  /** Drops the bytes; returns how many they were. Called by the share, with its lock held. */
  @SuppressWarnings("GuardedBy")
  int drop() {
    int dropped = units == null ? 0 : units.length;
    units = null;
    return dropped;
  }
}
