package dev.tailwater.posix.value;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * What name_to_handle_at(2) says of a file: opaque, unique within its file system, and never given
 * to another file while this one exists. Immutable.
 */
public final class FileHandle {
  private final int type;
  private final byte[] bytes;

  /** A handle with these bytes, which are copied. */
  public FileHandle(int type, byte[] bytes) {
    this.type = type;
    this.bytes = bytes.clone();
  }

  /** The file system's own number for the form of the bytes. */
  public int type() {
    return type;
  }

  /** A copy of the bytes, at most 128. */
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileHandle handle
        && type == handle.type
        && Arrays.equals(bytes, handle.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(bytes) + type;
  }

  @Override
  public String toString() {
    return "handle " + type + ":" + HexFormat.of().formatHex(bytes);
  }
}
