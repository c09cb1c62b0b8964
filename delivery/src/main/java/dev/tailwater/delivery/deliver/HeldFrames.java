package dev.tailwater.delivery.deliver;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compressed bytes of a short segment, before encryption, kept so that they can be merged into
 * a longer one without compressing again. They may go away at any time. Thread-safe; everything is
 * guarded by the {@link FrameShare}.
 */
public final class HeldFrames {
  private final FrameShare share;
  private byte @Nullable [] units;
  private int holders = 1;

  HeldFrames(FrameShare share, byte[] units) {
    this.share = share;
    this.units = units;
  }

  /** The bytes, unless memory was needed for others; not to be changed. */
  public Optional<byte[]> units() {
    synchronized (share) {
      return Optional.ofNullable(units);
    }
  }

  /** One more destination will ask for them. */
  public HeldFrames hold() {
    synchronized (share) {
      holders++;
      return this;
    }
  }

  /** One less does. */
  public void release() {
    synchronized (share) {
      holders--;
      if (holders == 0) {
        share.remove(this);
      }
    }
  }

  /** How many bytes are held. */
  int lengthBytes() {
    return units == null ? 0 : units.length;
  }

  void letGo() {
    units = null;
  }
}
