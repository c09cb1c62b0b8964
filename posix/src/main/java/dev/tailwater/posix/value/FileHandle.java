package dev.tailwater.posix.value;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An opaque file identifier, as name_to_handle_at(2) returns it. It is unique within its file
 * system, and no other file gets it while this file exists. Immutable.
 */
public final class FileHandle {
  private final int type;
  private final byte[] bytes;

  /** Creates a handle with a copy of these bytes. */
  public FileHandle(int type, byte[] bytes) {
    this.type = type;
    this.bytes = bytes.clone();
  }

  /** Returns the type of the handle, which the file system defines. */
  public int type() {
    return type;
  }

  /** Returns a copy of the bytes, at most 128. */
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
