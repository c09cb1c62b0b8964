package dev.tailwater.archive.seal;

import dev.tailwater.archive.Codec;

/** A factory of the encoders for codecs. */
final class BlockEncoders {
  private BlockEncoders() {}

  /**
   * Creates an encoder.
   *
   * @param copy the function that copies bytes into the target unchanged
   */
  static BlockEncoder create(Codec codec, BlockEncoder.ByteCopy copy) {
    return switch (codec) {
      case Codec.Zstd zstd -> new ZstdBlockEncoder(zstd.level());
      case Codec.Gzip gzip -> new GzipBlockEncoder(gzip.level());
      case Codec.Store() -> new StoreBlockEncoder(copy);
    };
  }
}
