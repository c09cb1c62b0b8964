package dev.tailwater.archive.seal;

/** Compresses blocks, each into a unit of its own that can be concatenated with others. */
interface BlockEncoder extends AutoCloseable {

  /** The most bytes that a unit of this many raw bytes can have. */
  int maxEncodedBytes(int rawBytes);

  /**
   * Writes one unit; the caller has seen to it that {@link #maxEncodedBytes} fit.
   *
   * @return the unit's length
   */
  int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at);

  /** How many zeros surely fit into a room of so many bytes; as a rule a thousand times as many. */
  long zerosFitting(int roomBytes);

  /**
   * Writes units of zeros, without looking at any; the caller has seen to it that they {@linkplain
   * #zerosFitting fit}.
   *
   * @param rawBytes how many zeros, at least one
   * @return the units' length
   */
  int encodeZeros(long rawBytes, byte[] target, int at);

  @Override
  void close();

  /** Copies bytes between two arrays; arguments as {@link System#arraycopy}. */
  @FunctionalInterface
  interface ByteCopy {
    void copy(byte[] source, int from, byte[] target, int to, int lengthBytes);
  }
}
