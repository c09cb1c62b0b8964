package dev.tailwater.archive.seal;

/** A compressor of blocks. Each block becomes a unit that can be concatenated with others. */
interface BlockEncoder extends AutoCloseable {

  /** Returns the maximum length of a unit for this many raw bytes. */
  int maxEncodedBytes(int rawBytes);

  /**
   * Writes one unit. The caller makes sure that {@link #maxEncodedBytes} fit.
   *
   * @return the length of the unit
   */
  int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at);

  /**
   * Returns a number of zeros that surely fit into this room, usually about a thousand times its
   * size.
   */
  long zerosFitting(int roomBytes);

  /**
   * Writes units that contain only zeros, without reading any. The caller makes sure that they
   * {@linkplain #zerosFitting fit}.
   *
   * @param rawBytes the number of zeros, at least one
   * @return the total length of the units
   */
  int encodeZeros(long rawBytes, byte[] target, int at);

  @Override
  void close();

  /** A function that copies bytes between arrays; arguments as in {@link System#arraycopy}. */
  @FunctionalInterface
  interface ByteCopy {
    void copy(byte[] source, int from, byte[] target, int to, int lengthBytes);
  }
}
