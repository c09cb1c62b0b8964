package dev.tailwater.io.watch;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the owners of directories take of the memory for names. Whoever owns directories in a source
 * that is somebody else's leaves a quarter of what nobody else has taken. For one thread.
 */
final class OwnerShares {
  /** What a guest may take for each byte that it leaves. */
  private static final int TAKEN_TO_LEFT = 3;

  private final long totalBytes;
  private final Map<Long, Long> bytesByGuest = new HashMap<>();
  private long takenBytes;

  OwnerShares(long totalBytes) {
    this.totalBytes = totalBytes;
  }

  /**
   * Returns whether there is room.
   *
   * @param guest who owns the directory, unless it is the owner of the source
   */
  boolean hasRoom(OptionalLong guest, long bytes) {
    return guest.isEmpty()
        || (bytesByGuest.getOrDefault(guest.getAsLong(), 0L) + bytes) / TAKEN_TO_LEFT
            <= totalBytes - takenBytes - bytes;
  }

  /** Takes room, or gives it back if negative. */
  void take(OptionalLong guest, long bytes) {
    takenBytes += bytes;
    if (guest.isPresent()) {
      bytesByGuest.merge(guest.getAsLong(), bytes, Long::sum);
      bytesByGuest.remove(guest.getAsLong(), 0L);
    }
  }
}
