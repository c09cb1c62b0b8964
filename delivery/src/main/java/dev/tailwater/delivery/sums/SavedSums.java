package dev.tailwater.delivery.sums;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The form in which checksums of neighbouring blocks are saved. It begins with the offset up to
 * which bytes were durable and the number of blocks. Then come all checksums and the set of those
 * that are known or, where that is shorter and marked by the number's complement, the sets of those
 * that are unknown and of those that are not of zeros, and the latter's checksums: a hole takes
 * nearly nothing. Earlier versions know the first form only, and take the other for unknown. Not
 * thread-safe.
 */
final class SavedSums {
  private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
  private static final int LENGTHS_BYTES = 2 * Short.BYTES;
  private static final SavedSums NONE = new SavedSums(0, 0);

  private final long durableBytes;
  private final long[] sums;
  private final BitSet known = new BitSet();

  SavedSums(long durableBytes, int count) {
    this.durableBytes = durableBytes;
    this.sums = new long[count];
  }

  long durableBytes() {
    return durableBytes;
  }

  int count() {
    return sums.length;
  }

  boolean isKnown(int number) {
    return known.get(number);
  }

  long sum(int number) {
    return sums[number];
  }

  void set(int number, long sum) {
    sums[number] = sum;
    known.set(number);
  }

  byte[] encode() {
    return isFilled() ? encodeAll() : encodeShorter();
  }

  /** Returns whether all are known, and none is that of zeros: then the first form is shorter. */
  private boolean isFilled() {
    if (known.cardinality() < sums.length) {
      return false;
    }
    for (long sum : sums) {
      if (sum == BlockRun.ZERO_BLOCK) {
        return false;
      }
    }
    return true;
  }

  private byte[] encodeAll() {
    byte[] knownBits = known.toByteArray();
    ByteBuffer out =
        ByteBuffer.allocate(HEADER_BYTES + sums.length * Long.BYTES + knownBits.length);
    out.putLong(durableBytes).putInt(sums.length);
    for (long sum : sums) {
      out.putLong(sum);
    }
    return out.put(knownBits).array();
  }

  private byte[] encodeShorter() {
    BitSet unknown = new BitSet();
    unknown.set(0, sums.length);
    unknown.andNot(known);
    BitSet filled = new BitSet();
    for (int i = 0; i < sums.length; i++) {
      filled.set(i, known.get(i) && sums[i] != BlockRun.ZERO_BLOCK);
    }
    byte[] unknownBits = unknown.toByteArray();
    byte[] filledBits = filled.toByteArray();
    int allBytes =
        HEADER_BYTES + sums.length * Long.BYTES + Math.ceilDiv(known.length(), Byte.SIZE);
    int filledBytes =
        HEADER_BYTES
            + LENGTHS_BYTES
            + unknownBits.length
            + filledBits.length
            + filled.cardinality() * Long.BYTES;
    if (allBytes <= filledBytes) {
      return encodeAll();
    }
    ByteBuffer out = ByteBuffer.allocate(filledBytes).putLong(durableBytes).putInt(~sums.length);
    out.putShort((short) unknownBits.length).putShort((short) filledBits.length);
    out.put(unknownBits).put(filledBits);
    filled.stream().forEach(number -> out.putLong(sums[number]));
    return out.array();
  }

  /** Returns what was saved; no checksums if it cannot be read, which are unknown then. */
  static SavedSums decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    if (in.remaining() < HEADER_BYTES) {
      return NONE;
    }
    long durableBytes = in.getLong();
    int count = in.getInt();
    boolean all = count >= 0;
    int blocks = all ? count : ~count;
    if (blocks > BlockSums.CHUNK_BLOCKS) {
      return NONE;
    }
    SavedSums saved = new SavedSums(durableBytes, blocks);
    return (all ? saved.takeAll(in) : saved.takeFilled(in)) ? saved : NONE;
  }

  private boolean takeAll(ByteBuffer in) {
    if (in.remaining() < sums.length * Long.BYTES) {
      return false;
    }
    in.asLongBuffer().get(sums);
    known.or(BitSet.valueOf(in.position(in.position() + sums.length * Long.BYTES)));
    return true;
  }

  private boolean takeFilled(ByteBuffer in) {
    if (in.remaining() < LENGTHS_BYTES) {
      return false;
    }
    int unknownBytes = Short.toUnsignedInt(in.getShort());
    int filledBytes = Short.toUnsignedInt(in.getShort());
    if (in.remaining() < unknownBytes + filledBytes) {
      return false;
    }
    BitSet unknown = BitSet.valueOf(in.slice(in.position(), unknownBytes));
    BitSet filled = BitSet.valueOf(in.slice(in.position() + unknownBytes, filledBytes));
    in.position(in.position() + unknownBytes + filledBytes);
    if (in.remaining() < filled.cardinality() * Long.BYTES || filled.length() > sums.length) {
      return false;
    }
    Arrays.fill(sums, BlockRun.ZERO_BLOCK);
    filled.stream().forEach(number -> sums[number] = in.getLong());
    known.set(0, sums.length);
    known.andNot(unknown);
    return true;
  }
}
