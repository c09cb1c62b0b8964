package dev.tailwater.delivery.seal;

import java.util.concurrent.TimeUnit;

/** Where a segment ends, besides its length in staging, so that other files get their turn. */
final class SegmentLimits {
  /** Of the file's bytes that are read for one segment. */
  static final long READ_BYTES = 64L << 20;

  /** Of a segment with long holes, which are not read. */
  static final long SPARSE_BYTES = 16L << 30;

  /** How long a worker is at one segment while another file is due. */
  static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private SegmentLimits() {}
}
