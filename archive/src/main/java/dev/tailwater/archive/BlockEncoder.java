package dev.tailwater.archive;

/** Compresses blocks, each into a unit of its own that can be concatenated with others. */
sealed interface BlockEncoder extends AutoCloseable
    permits ZstdBlockEncoder, GzipBlockEncoder, StoreBlockEncoder {

  static BlockEncoder of(Codec codec) {
    return switch (codec) {
      case Codec.Zstd zstd -> new ZstdBlockEncoder(zstd.level());
      case Codec.Gzip gzip -> new GzipBlockEncoder(gzip.level());
      case Codec.Store() -> new StoreBlockEncoder();
    };
  }

  /** The most bytes that a unit of this many raw bytes can have. */
  int maxEncodedBytes(int rawBytes);

  /**
   * Writes one unit; the caller has seen to it that {@link #maxEncodedBytes} fit.
   *
   * @return the unit's length
   */
  int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at);

  @Override
  void close();
}
