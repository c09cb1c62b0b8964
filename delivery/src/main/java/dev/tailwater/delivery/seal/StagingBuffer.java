package dev.tailwater.delivery.seal;

/**
 * A buffer that a sealed segment waits in. Several destinations may hold it; it is free when the
 * last of them has released it. The count belongs to the {@link StagingPool}.
 */
public final class StagingBuffer {
  private final byte[] bytes;
  private int holders;

  StagingBuffer(int lengthBytes) {
    this.bytes = new byte[lengthBytes];
  }

  /** The array itself. */
  byte[] bytes() {
    return bytes;
  }

  void hold() {
    holders++;
  }

  /** Whether nobody holds it any more. */
  boolean letGo() {
    holders--;
    return holders == 0;
  }
}
