package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.due.SegmentLimits;
import dev.tailwater.io.read.Holes;
import dev.tailwater.posix.ErrnoException;

/** Appends the long holes of a file to the segment in progress without reading their zeros. */
record HoleSkipper(Holes holes, SegmentSealer sealer) {
  /** Returns how many bytes from there on are a hole, up to the limit; 0 for a short hole. */
  long lengthAt(long positionBytes, long limitBytes) {
    return holes.lengthAt(positionBytes, limitBytes);
  }

  /**
   * Appends as much of a hole as fits.
   *
   * @param blocks at the hole's first byte; moved on behind what was appended
   * @return how many zeros were appended; 0 when the segment must end before the hole
   */
  long append(long holeBytes, VerifiedReader blocks, VerifiedReader.Look look)
      throws ErrnoException {
    long wanted = Math.min(holeBytes, SegmentLimits.SPARSE_BYTES - sealer.rawBytes());
    // Verified before they are appended: what is in the sealer cannot be taken back.
    long fitting = Math.min(wanted, sealer.zerosFitting());
    if (fitting < Holes.MIN_BYTES || !blocks.skipZeros(fitting, look)) {
      return 0;
    }
    sealer.appendZeros(fitting);
    return fitting;
  }
}
