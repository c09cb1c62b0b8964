package dev.tailwater.delivery.deliver;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The memory for {@link HeldFrames} of all streams and destinations: when it is full, the oldest
 * go, and their bytes are read from the source file again if they are merged after all.
 * Thread-safe.
 */
public final class FrameShare {
  /** One segment must not drive out the frames of many. */
  private static final int PARTS = 8;

  private final long boundBytes;
  private final long longestRawBytes;
  private final LinkedHashSet<HeldFrames> oldestFirst = new LinkedHashSet<>();
  private long heldBytes;

  /**
   * @param boundBytes 0: nothing is held
   * @param longestRawBytes segments of so many raw bytes are no short ones
   */
  public FrameShare(long boundBytes, long longestRawBytes) {
    this.boundBytes = boundBytes;
    this.longestRawBytes = longestRawBytes;
  }

  /**
   * Keeps the frames of a segment, if it is a short one. The caller holds them.
   *
   * @param encodedBytes the length of what {@code units} gives
   */
  public Optional<HeldFrames> keep(long rawBytes, int encodedBytes, Supplier<byte[]> units) {
    if (rawBytes >= longestRawBytes || encodedBytes > boundBytes / PARTS) {
      return Optional.empty();
    }
    HeldFrames frames = new HeldFrames(this, units.get());
    synchronized (this) {
      heldBytes += frames.lengthBytes();
      oldestFirst.add(frames);
      while (heldBytes > boundBytes) {
        remove(oldestFirst.getFirst());
      }
    }
    return Optional.of(frames);
  }

  /** With the lock held. */
  void remove(HeldFrames frames) {
    if (oldestFirst.remove(frames)) {
      heldBytes -= frames.lengthBytes();
      frames.letGo();
    }
  }

  /** How many bytes are held now. */
  public synchronized long heldBytes() {
    return heldBytes;
  }
}
