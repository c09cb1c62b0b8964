package dev.tailwater.archive.pack;

import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A reader of what {@link VarintWriter} writes, which trusts nothing. */
final class VarintReader {
  private static final int MAX_VARINT_BYTES = 10;

  private final byte[] bytes;
  private int at;

  VarintReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Signals that the bytes are not what a writer wrote. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String why) {
      super(why);
    }
  }

  int offset() {
    return at;
  }

  int remaining() {
    return bytes.length - at;
  }

  /** Reads a number of up to 64 bits, as unsigned. */
  long unsigned() throws MalformedException {
    long value = 0;
    for (int read = 0; read < MAX_VARINT_BYTES; read++) {
      if (at == bytes.length) {
        throw new MalformedException("ends within a number");
      }
      byte next = bytes[at++];
      boolean fits = read < MAX_VARINT_BYTES - 1 || next == 0 || next == 1;
      if (!fits) {
        break;
      }
      value |= (long) (next & 0x7F) << (7 * read);
      if (next >= 0) {
        return value;
      }
    }
    throw new MalformedException("has a number of more than 64 bits");
  }

  long signed() throws MalformedException {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a number that must lie between zero and a limit, both included. */
  long atMost(long limit, String what) throws MalformedException {
    long value = unsigned();
    if (value < 0 || value > limit) {
      throw new MalformedException(
          what + " is " + Long.toUnsignedString(value) + ", over " + limit);
    }
    return value;
  }

  /** Reads how many items follow, each of at least this many bytes: more cannot be there. */
  int count(int minItemBytes, String what) throws MalformedException {
    return (int) atMost(remaining() / minItemBytes, "the number of " + what);
  }

  /** The same of items of which there may be only so many. */
  int count(int minItemBytes, int most, String what) throws MalformedException {
    int count = count(minItemBytes, what);
    if (count > most) {
      throw new MalformedException("has " + count + " " + what + ", over " + most);
    }
    return count;
  }

  int fixed() throws MalformedException {
    int from = skip(Integer.BYTES);
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value |= Byte.toUnsignedInt(bytes[from + i]) << (Byte.SIZE * i);
    }
    return value;
  }

  byte[] text(int maxBytes, String what) throws MalformedException {
    int from = skip((int) atMost(maxBytes, "the length of " + what));
    return Arrays.copyOfRange(bytes, from, at);
  }

  /** The same of a text in ASCII; any other byte becomes the replacement character. */
  String ascii(int maxBytes, String what) throws MalformedException {
    int from = skip((int) atMost(maxBytes, what));
    return new String(bytes, from, at - from, StandardCharsets.US_ASCII);
  }

  /**
   * The same of a path.
   *
   * @throws IllegalArgumentException if it contains a NUL byte
   */
  PosixPath path(int maxBytes, String what) throws MalformedException {
    int from = skip((int) atMost(maxBytes, what));
    return PosixPath.of(bytes, from, at);
  }

  /** Goes on behind some bytes; returns where they begin. */
  private int skip(int lengthBytes) throws MalformedException {
    if (lengthBytes > remaining()) {
      throw new MalformedException("ends too early");
    }
    at += lengthBytes;
    return at - lengthBytes;
  }
}
