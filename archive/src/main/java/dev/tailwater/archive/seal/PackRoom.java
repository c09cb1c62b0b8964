package dev.tailwater.archive.seal;

import dev.tailwater.archive.pack.PackDirectory;

/**
 * What still fits into a pack, however badly it compresses: its bytes behind the front, and what is
 * to be said of them in the front.
 */
final class PackRoom {
  /** What a unit may take at most beside its share of the bytes. */
  private static final int UNIT_OVERHEAD_BYTES = 1024;

  private final PackFrontWriter front;
  private final BlockEncoder encoder;
  private final int unitBytes;

  /**
   * @param unitBytes how many raw bytes a unit holds at most
   */
  PackRoom(PackFrontWriter front, BlockEncoder encoder, int unitBytes) {
    this.front = front;
    this.encoder = encoder;
    this.unitBytes = unitBytes;
  }

  /**
   * Returns whether a range fits that is still to begin, or more bytes of one that has begun.
   *
   * @param saidBytes what is to be said before that, as {@link DirectoryDraft} counts it
   */
  boolean hasRoomFor(OpenPack pack, int saidBytes, long rawBytes) {
    long waiting = pack.blockBytes + rawBytes;
    long blocks = waiting / unitBytes;
    // The block may have to end before the range, which makes one unit more.
    long encoded =
        blocks * encoder.maxEncodedBytes(unitBytes)
            + encoder.maxEncodedBytes((int) (waiting % unitBytes))
            + (blocks > 0 ? UNIT_OVERHEAD_BYTES : 0);
    return pack.takenBytes() + encoded <= pack.array.mostBytes()
        && pack.directory.mayHaveAnotherRange()
        && hasRoomToSay(pack, saidBytes, 1, (int) blocks + 2);
  }

  /** Returns whether so much can be said, and what waits to become a range and a unit as well. */
  boolean hasRoomToSay(OpenPack pack, int bytes) {
    return hasRoomToSay(pack, bytes, pack.range == null ? 0 : 1, pack.blockBytes == 0 ? 0 : 1);
  }

  /** Returns whether so much can be said, beside so many more ranges and units. */
  boolean hasRoomToSay(OpenPack pack, int bytes, int ranges, int units) {
    int content = pack.directory.maxContentBytes(ranges, units) + bytes;
    int unitCount = pack.directory.unitCount() + units;
    return unitCount <= PackDirectory.MAX_UNITS
        && maxFrontBytes(pack, content, unitCount) <= pack.frontBytes;
  }

  /** Returns how long the front gets at most with what the pack has. */
  int frontBytes(OpenPack pack) {
    return maxFrontBytes(pack, pack.directory.maxContentBytes(0, 0), pack.directory.unitCount());
  }

  private int maxFrontBytes(OpenPack pack, int contentBytes, int units) {
    return front.maxBytes(contentBytes, units, pack.array.mostBytes(), pack.carried);
  }
}
