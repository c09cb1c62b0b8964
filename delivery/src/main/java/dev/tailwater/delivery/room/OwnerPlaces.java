package dev.tailwater.delivery.room;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.FairShares;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The places that one source has, shared among the owners of its files. Whoever owns files in a
 * source that is somebody else's leaves a quarter of what nobody else has taken; so there is a
 * place for the first files of another owner, however many the others have. Thread-safe.
 */
final class OwnerPlaces {
  /** What a guest may take for each place that it leaves. */
  private static final int TAKEN_TO_LEFT = 3;

  private final FairShares.Share share;
  private final Supplier<OptionalLong> host;

  /** The lock is held only while this is read or changed. */
  @GuardedBy("this")
  private final Map<Long, Integer> takenByOwner = new HashMap<>();

  /**
   * Creates places of which none is taken.
   *
   * @param share that of the source
   * @param host returns the owner of the source, who may take all; empty if that is not known
   */
  OwnerPlaces(FairShares.Share share, Supplier<OptionalLong> host) {
    this.share = share;
    this.host = host;
  }

  /** Returns whether there is room for one more file, if its owner has not too many. */
  boolean hasRoom() {
    return share.hasRoom(1);
  }

  /** Returns whether there is room for one more file of any owner. */
  boolean hasRoomForAll() {
    long room = share.room();
    return room > 0 && isWithin(share.taken(), room);
  }

  /** Returns whether there is room for one more file of this owner. */
  boolean hasRoom(long ownerId) {
    long room = share.room();
    return room > 0 && (isWithin(taken(ownerId), room) || isHost(ownerId));
  }

  private static boolean isWithin(long taken, long room) {
    return (taken + 1) / TAKEN_TO_LEFT <= room - 1;
  }

  private boolean isHost(long ownerId) {
    OptionalLong known = host.get();
    return known.isPresent() && known.getAsLong() == ownerId;
  }

  /** Takes a place, whether or not there is room. */
  void take(long ownerId) {
    share.take(1);
    own(ownerId);
  }

  /** Takes a place for a file whose owner is not known yet; false if there is none. */
  boolean tryTakeUnowned() {
    return share.tryTake(1);
  }

  /** Gives back a place that was taken for nobody. */
  void giveUnowned() {
    share.give(1);
  }

  /** Gives a place that was taken for nobody to an owner; false if that has too many. */
  boolean tryOwn(long ownerId) {
    if (!isWithin(taken(ownerId), share.room() + 1) && !isHost(ownerId)) {
      return false;
    }
    own(ownerId);
    return true;
  }

  private synchronized void own(long ownerId) {
    takenByOwner.merge(ownerId, 1, Integer::sum);
  }

  /** Gives a place back; returns whether it was the owner's last one. */
  boolean give(long ownerId) {
    share.give(1);
    return disown(ownerId);
  }

  private synchronized boolean disown(long ownerId) {
    return takenByOwner.computeIfPresent(ownerId, (_, taken) -> taken == 1 ? null : taken - 1)
        == null;
  }

  private synchronized int taken(long ownerId) {
    return takenByOwner.getOrDefault(ownerId, 0);
  }
}
