package dev.tailwater.delivery.seal;

import java.util.concurrent.TimeUnit;

/** The limits of a segment beside its length in staging, so that other files get their turn. */
final class SegmentLimits {
  /** The most bytes of the file that are read for one segment. */
  static final long READ_BYTES = 64L << 20;

  /** The most raw bytes of a segment with long holes, which are not read. */
  static final long SPARSE_BYTES = 16L << 30;

  /** How long a worker may seal one segment while another file is due. */
  static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private SegmentLimits() {}
}
