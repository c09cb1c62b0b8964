package dev.tailwater.archive.seal;

import dev.tailwater.archive.Codec;

/** Creates the encoder that a codec needs. */
final class BlockEncoders {
  private BlockEncoders() {}

  /**
   * Creates an encoder.
   *
   * @param copy for bytes that go into the target as they are
   */
  static BlockEncoder create(Codec codec, BlockEncoder.ByteCopy copy) {
    return switch (codec) {
      case Codec.Zstd zstd -> new ZstdBlockEncoder(zstd.level());
      case Codec.Gzip gzip -> new GzipBlockEncoder(gzip.level());
      case Codec.Store() -> new StoreBlockEncoder(copy);
    };
  }
}
