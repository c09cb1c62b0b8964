package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The compressed bytes of a short segment, before encryption, kept so that they can be merged into
 * a longer one without compressing them again. They may be dropped at any time. Thread-safe.
 */
public final class HeldFrames {
  /** The lock of the share that they belong to. */
  private final Object share;

  private final Consumer<HeldFrames> unheld;

  @GuardedBy("share")
  private byte @Nullable [] units;

  @GuardedBy("share")
  private int holders = 1;

  /**
   * Creates frames with one holder.
   *
   * @param share the lock of the share
   * @param unheld removes them from the share; called with its lock held, when nobody holds them
   */
  HeldFrames(Object share, Consumer<HeldFrames> unheld, byte[] units) {
    this.share = share;
    this.unheld = unheld;
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
        unheld.accept(this);
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
