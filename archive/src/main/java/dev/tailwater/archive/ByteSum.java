package dev.tailwater.archive;

/**
 * Adds numbers of bytes as an archive claims them: forged names may claim more than there can be.
 */
public final class ByteSum {
  private ByteSum() {}

  /** Returns the sum of two numbers of 0 or more; {@link Long#MAX_VALUE} where it is larger. */
  public static long of(long bytes, long moreBytes) {
    long sumBytes = bytes + moreBytes;
    return sumBytes < 0 ? Long.MAX_VALUE : sumBytes;
  }
}
