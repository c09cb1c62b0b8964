package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.PackSealer;

/** The open range of the pack in progress. */
record PackSink(PackSealer sealer, int blockBytes) implements BlockSink {
  @Override
  public boolean makeRoomFor(int lengthBytes) {
    return sealer.hasRoomFor(lengthBytes);
  }

  @Override
  public byte[] append(byte[] raw, int from, int lengthBytes) {
    sealer.append(raw, from, lengthBytes);
    return raw;
  }

  @Override
  public void settle() {}

  @Override
  public long rawBytes() {
    return sealer.rangeBytes();
  }

  @Override
  public int encodedBytes() {
    return sealer.encodedBytes();
  }
}
