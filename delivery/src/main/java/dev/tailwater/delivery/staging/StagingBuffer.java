package dev.tailwater.delivery.staging;

/**
 * A buffer that holds a sealed segment until it is delivered. Several destinations may hold it; it
 * is free when the last of them has released it. Not thread-safe: the {@link StagingPool} guards
 * the count.
 */
public final class StagingBuffer {
  private final byte[] bytes;
  private int holders;

  StagingBuffer(int lengthBytes) {
    this.bytes = new byte[lengthBytes];
  }

  /** Returns the array itself. */
  public byte[] bytes() {
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
