package dev.tailwater.archive.seal;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;

/** An encoder that writes one zstd frame per block, with content size and checksum. */
final class ZstdBlockEncoder implements BlockEncoder {
  private final ZstdCompressCtx context = new ZstdCompressCtx();

  ZstdBlockEncoder(int level) {
    context.setLevel(level).setChecksum(true).setContentSize(true);
  }

  @Override
  public int maxEncodedBytes(int rawBytes) {
    return (int) Zstd.compressBound(rawBytes);
  }

  @Override
  public int encode(byte[] raw, int from, int lengthBytes, byte[] target, int at) {
    int room = maxEncodedBytes(lengthBytes);
    return context.compressByteArray(target, at, room, raw, from, lengthBytes);
  }

  @Override
  public long zerosFitting(int roomBytes) {
    return ZeroFrame.zerosFitting(roomBytes);
  }

  @Override
  public int encodeZeros(long rawBytes, byte[] target, int at) {
    return ZeroFrame.encode(rawBytes, target, at);
  }

  @Override
  public void close() {
    context.close();
  }
}
