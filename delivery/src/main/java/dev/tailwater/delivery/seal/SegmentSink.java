package dev.tailwater.delivery.seal;

import dev.tailwater.archive.seal.SegmentSealer;

/** The segment in progress. */
record SegmentSink(SegmentSealer sealer) implements BlockSink {
  @Override
  public int blockBytes() {
    return sealer.blockBytes();
  }

  @Override
  public boolean hasRoomFor(int lengthBytes) {
    return sealer.hasRoomFor(lengthBytes);
  }

  @Override
  public void append(byte[] raw, int from, int lengthBytes) {
    sealer.append(raw, from, lengthBytes);
  }

  @Override
  public long rawBytes() {
    return sealer.rawBytes();
  }

  @Override
  public int encodedBytes() {
    return sealer.encodedBytes();
  }
}
