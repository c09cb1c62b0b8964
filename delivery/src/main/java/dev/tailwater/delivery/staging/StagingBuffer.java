package dev.tailwater.delivery.staging;

import dev.tailwater.archive.seal.GrowingArray;

/**
 * A buffer that holds a sealed segment until it is delivered. Several destinations may hold it; it
 * is free when the last of them has released it. It is as long as what it held so far needed. Not
 * thread-safe: the {@link StagingPool} guards the count.
 */
public final class StagingBuffer implements GrowingArray {
  /** How long a large buffer is at first. */
  private static final int FIRST_BYTES = 2 << 20;

  private static final byte[] NONE = {};

  private final int mostBytes;
  private final boolean isLarge;
  private final Object growth;
  private byte[] bytes;
  private int holders;

  /**
   * Creates a buffer that nobody holds.
   *
   * @param growth the lock for all buffers: while one grows, it takes its old array and its new one
   */
  StagingBuffer(int mostBytes, boolean isLarge, Object growth) {
    this.mostBytes = mostBytes;
    this.isLarge = isLarge;
    this.growth = growth;
    this.bytes = new byte[Math.min(mostBytes, FIRST_BYTES)];
  }

  /** Returns the array itself. */
  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int mostBytes() {
    return mostBytes;
  }

  boolean isLarge() {
    return isLarge;
  }

  @Override
  public byte[] grow(int leastBytes, int usedBytes) {
    if (leastBytes > mostBytes) {
      throw new IllegalArgumentException(leastBytes + " bytes in a buffer of " + mostBytes);
    }
    synchronized (growth) {
      byte[] longer = new byte[GrowingArray.grownBytes(bytes.length, leastBytes, mostBytes)];
      System.arraycopy(bytes, 0, longer, 0, usedBytes);
      bytes = longer;
    }
    return bytes;
  }

  /** Returns an array with room for so many bytes, at most the longest; what was in it is gone. */
  public byte[] emptyWithRoom(int leastBytes) {
    int least = Math.min(leastBytes, mostBytes);
    if (bytes.length < least) {
      int longerBytes = GrowingArray.grownBytes(bytes.length, least, mostBytes);
      bytes = NONE; // So that there is never more than the longer one.
      bytes = new byte[longerBytes];
    }
    return bytes;
  }

  void hold() {
    holders++;
  }

  /**
   * Removes a holder; returns whether there is none any more.
   *
   * @throws IllegalStateException when nobody holds it: it was released twice
   */
  boolean letGo() {
    if (holders == 0) {
      throw new IllegalStateException("a staging buffer that is free was released again");
    }
    holders--;
    return holders == 0;
  }
}
