package dev.tailwater.delivery.seal;

/** What the blocks of a range are appended to: a segment, or a range of a pack. */
interface BlockSink {
  /** Returns the length of the longest block. */
  int blockBytes();

  /**
   * Makes room for a block of this length, however badly it compresses; false when the segment or
   * pack is too full.
   */
  boolean makeRoomFor(int lengthBytes) throws InterruptedException;

  /**
   * Appends a block.
   *
   * @return an array as long as {@code raw} that the next block may be read into: {@code raw}
   *     itself, unless the sink keeps it
   */
  byte[] append(byte[] raw, int from, int lengthBytes) throws InterruptedException;

  /** Completes what was appended: it is all encoded then. */
  void settle() throws InterruptedException;

  /** Returns the number of raw bytes in the range so far. */
  long rawBytes();

  /** Returns the number of staging bytes that the segment or pack takes so far, about. */
  int encodedBytes();
}
