package dev.tailwater.io.buffer;

import java.io.IOException;

/** The data ends within a value. */
public final class TruncatedValueException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offsetBytes;
  private final int leftBytes;

  TruncatedValueException(long offsetBytes, int leftBytes, int valueBytes) {
    super(
        "the data ends within a value: %d of %d bytes at offset %d"
            .formatted(leftBytes, valueBytes, offsetBytes));
    this.offsetBytes = offsetBytes;
    this.leftBytes = leftBytes;
  }

  /** Where the value starts: bytes from the start of the data. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** How much of it is there: at least 1. */
  public int leftBytes() {
    return leftBytes;
  }
}
