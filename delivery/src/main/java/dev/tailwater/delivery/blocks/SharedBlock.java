package dev.tailwater.delivery.blocks;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.seal.SegmentSealer;
import java.util.function.LongSupplier;

/**
 * A block of a segment in progress, and its unit once a worker has compressed it. It belongs to one
 * worker at a time; the {@link BlockExchange} passes it on.
 */
public final class SharedBlock {
  /** Who has the block. Guarded by the exchange. */
  enum State {
    /** The worker that reads the segment, which fills it or appends it. */
    OWNED,
    /** Nobody: any worker may compress it. */
    POSTED,
    /** The worker that compresses it. */
    TAKEN,
    /** As {@link #TAKEN}, but nobody waits for the unit any more. */
    DROPPED
  }

  /** Written only by the exchange, under its lock. */
  State state = State.OWNED;

  private Codec codec = new Codec.Store();
  private long dueNanos;
  private byte[] raw = {};
  private int from;
  private int lengthBytes;
  private byte[] unit = {};
  private int unitBytes;
  private long encodeNanos;

  SharedBlock() {}

  /**
   * Keeps the bytes of a block.
   *
   * @param sealer of the segment that the block belongs to
   * @param dueNanos when the segment is due
   * @return an array as long as {@code bytes}, which the caller gets in exchange
   */
  public byte[] fill(SegmentSealer sealer, long dueNanos, byte[] bytes, int from, int lengthBytes) {
    byte[] before = raw.length == bytes.length ? raw : new byte[bytes.length];
    if (unit.length < sealer.maxUnitBytes()) {
      unit = new byte[sealer.maxUnitBytes()];
    }
    this.codec = sealer.codec();
    this.dueNanos = dueNanos;
    this.raw = bytes;
    this.from = from;
    this.lengthBytes = lengthBytes;
    this.unitBytes = 0;
    this.encodeNanos = 0;
    return before;
  }

  /** Returns the codec that a sealer must use to compress the block. */
  public Codec codec() {
    return codec;
  }

  /** Returns when the segment of the block is due. */
  public long dueNanos() {
    return dueNanos;
  }

  /** Returns the number of raw bytes. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** Compresses the block. */
  public void encode(SegmentSealer sealer, LongSupplier nanoClock) {
    long startNanos = nanoClock.getAsLong();
    unitBytes = sealer.encodeUnit(raw, from, lengthBytes, unit);
    encodeNanos = nanoClock.getAsLong() - startNanos;
  }

  /** Returns whether it is compressed. */
  public boolean isEncoded() {
    return unitBytes > 0;
  }

  /** Returns how long the codec has taken. */
  public long encodeNanos() {
    return encodeNanos;
  }

  /** Appends the compressed block to its segment. */
  public void appendTo(SegmentSealer sealer) {
    sealer.appendUnit(raw, from, lengthBytes, unit, unitBytes);
  }
}
