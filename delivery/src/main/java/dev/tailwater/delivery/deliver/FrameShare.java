package dev.tailwater.delivery.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A bounded share of memory for the {@link HeldFrames} of all streams and destinations. When it is
 * full, the oldest frames are dropped; if their segments are merged after all, the bytes are read
 * from the source file again. Thread-safe.
 */
public final class FrameShare {
  /** The part of the memory that one segment may take, so that it does not displace many. */
  private static final int PARTS = 8;

  private final long boundBytes;
  private final long longestRawBytes;

  @GuardedBy("this")
  private final LinkedHashSet<HeldFrames> oldestFirst = new LinkedHashSet<>();

  @GuardedBy("this")
  private long heldBytes;

  /**
   * Creates a share.
   *
   * @param boundBytes 0: nothing is held
   * @param longestRawBytes segments with this many raw bytes or more are not short
   */
  public FrameShare(long boundBytes, long longestRawBytes) {
    this.boundBytes = boundBytes;
    this.longestRawBytes = longestRawBytes;
  }

  /**
   * Keeps the frames of a segment, if it is short. The caller holds them.
   *
   * @param encodedBytes the length of what {@code units} supplies
   */
  public Optional<HeldFrames> keep(long rawBytes, int encodedBytes, Supplier<byte[]> units) {
    if (rawBytes >= longestRawBytes || encodedBytes > boundBytes / PARTS) {
      return Optional.empty();
    }
    HeldFrames frames = new HeldFrames(this, this::remove, units.get());
    synchronized (this) {
      heldBytes += encodedBytes;
      oldestFirst.add(frames);
      while (heldBytes > boundBytes) {
        remove(oldestFirst.getFirst());
      }
    }
    return Optional.of(frames);
  }

  private synchronized void remove(HeldFrames frames) {
    if (oldestFirst.remove(frames)) {
      heldBytes -= frames.drop();
    }
  }

  /** Returns how many bytes are held now. */
  public synchronized long heldBytes() {
    return heldBytes;
  }
}
