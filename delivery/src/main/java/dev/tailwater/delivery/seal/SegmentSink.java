package dev.tailwater.delivery.seal;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.seal.SegmentSealer;
import dev.tailwater.delivery.blocks.BlockExchange;
import dev.tailwater.delivery.blocks.SharedBlock;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The segment in progress. While other workers of the destination have nothing to seal, they
 * compress blocks of it; this worker appends them in their order. Belongs to one worker.
 */
final class SegmentSink implements BlockSink {
  /** To pass a shorter block on costs more than it is worth. */
  private static final int MIN_SHARED_BYTES = 256 * 1024;

  private final SegmentSealer sealer;
  private final BlockExchange exchange;
  private final LongSupplier nanoClock;

  /** What was read and is not in the segment yet, in the order of the file. */
  private final ArrayDeque<SharedBlock> pending = new ArrayDeque<>();

  private long pendingBytes;
  private long dueNanos;
  private long encodeNanos;
  private long ownEncodeNanos;
  private long waitedNanos;

  SegmentSink(SegmentSealer sealer, BlockExchange exchange, LongSupplier nanoClock) {
    this.sealer = sealer;
    this.exchange = exchange;
    this.nanoClock = nanoClock;
  }

  /**
   * Begins with a segment that was begun in the sealer.
   *
   * @param dueNanos when it is due
   */
  void begin(long dueNanos) {
    this.dueNanos = dueNanos;
    encodeNanos = 0;
    ownEncodeNanos = 0;
    waitedNanos = 0;
  }

  @Override
  public int blockBytes() {
    return sealer.blockBytes();
  }

  @Override
  public boolean makeRoomFor(int lengthBytes) throws InterruptedException {
    while (!pending.isEmpty() && isReady(pending.getFirst())) {
      appendFirst(); // It takes less room than it might have taken.
    }
    while (!hasRoomFor(lengthBytes) && !pending.isEmpty()) {
      appendFirst();
    }
    return hasRoomFor(lengthBytes);
  }

  private boolean isReady(SharedBlock block) {
    return exchange.isBack(block) && block.isEncoded();
  }

  private boolean hasRoomFor(int lengthBytes) {
    // No block needs more room than a whole one.
    return sealer.hasRoomFor(pending.size() * sealer.blockBytes() + lengthBytes);
  }

  @Override
  public byte[] append(byte[] raw, int from, int lengthBytes) throws InterruptedException {
    if (isWorthSharing(lengthBytes)) {
      Optional<SharedBlock> borrowed = exchange.tryBorrow();
      while (borrowed.isEmpty() && !pending.isEmpty()) {
        appendFirst();
        borrowed = exchange.tryBorrow();
      }
      if (borrowed.isPresent()) {
        SharedBlock block = borrowed.get();
        pending.add(block);
        pendingBytes += lengthBytes;
        byte[] next = block.fill(sealer, dueNanos, raw, from, lengthBytes);
        exchange.post(block);
        return next;
      }
    }
    settle();
    sealer.append(raw, from, lengthBytes);
    return raw;
  }

  private boolean isWorthSharing(int lengthBytes) {
    return lengthBytes >= MIN_SHARED_BYTES
        && !(sealer.codec() instanceof Codec.Store)
        && exchange.hasHelpers();
  }

  @Override
  public void settle() throws InterruptedException {
    while (!pending.isEmpty()) {
      appendFirst();
    }
  }

  /** Appends the first pending block. While another worker compresses it, this one does another. */
  private void appendFirst() throws InterruptedException {
    SharedBlock first = pending.getFirst();
    if (!exchange.isBack(first)) {
      for (SharedBlock block : pending) {
        if (exchange.tryTakeBack(block)) {
          encode(block);
          break;
        }
      }
      long startNanos = nanoClock.getAsLong();
      exchange.awaitBack(first);
      waitedNanos += nanoClock.getAsLong() - startNanos;
    }
    if (!first.isEncoded()) { // The worker that had it has failed, and has reported that.
      encode(first);
    }
    first.appendTo(sealer);
    encodeNanos += first.encodeNanos();
    pending.removeFirst();
    pendingBytes -= first.lengthBytes();
    exchange.release(first);
  }

  private void encode(SharedBlock block) {
    block.encode(sealer, nanoClock);
    ownEncodeNanos += block.encodeNanos();
  }

  /** Gives up what is not in the segment yet. */
  void abandon() {
    pending.forEach(exchange::release);
    pending.clear();
    pendingBytes = 0;
  }

  @Override
  public long rawBytes() {
    return sealer.rawBytes() + pendingBytes;
  }

  @Override
  public int encodedBytes() {
    int encoded = sealer.encodedBytes();
    return encoded == 0
        ? 0
        : (int) Math.min(Integer.MAX_VALUE, encoded + pendingBytes * encoded / sealer.rawBytes());
  }

  /**
   * Returns how long other workers have compressed blocks of the segment, less the time that this
   * one has waited for them.
   */
  long helpedNanos() {
    return encodeNanos - ownEncodeNanos - waitedNanos;
  }
}
