package dev.tailwater.delivery.due;

import java.util.concurrent.TimeUnit;

/** The limits of a segment beside its length in staging, so that other files get their turn. */
public final class SegmentLimits {
  /** The most bytes of the file that are read for one segment. */
  public static final long READ_BYTES = 64L << 20;

  /** The most raw bytes of a segment with long holes, which are not read. */
  public static final long SPARSE_BYTES = 16L << 30;

  /** How long a worker may seal one segment while another file is due. */
  public static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private SegmentLimits() {}
}
