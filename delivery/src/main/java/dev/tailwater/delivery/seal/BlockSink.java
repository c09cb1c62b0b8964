package dev.tailwater.delivery.seal;

/** What the blocks of a range are appended to: a segment, or a range of a pack. */
interface BlockSink {
  /** Returns the length of the longest block. */
  int blockBytes();

  /** Returns whether a block of this length can be appended, however badly it compresses. */
  boolean hasRoomFor(int lengthBytes);

  void append(byte[] raw, int from, int lengthBytes);

  /** Returns the number of raw bytes in the range so far. */
  long rawBytes();

  /** Returns the number of staging bytes that the segment or pack takes so far. */
  int encodedBytes();
}
