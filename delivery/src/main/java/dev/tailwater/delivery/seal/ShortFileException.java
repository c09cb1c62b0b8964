package dev.tailwater.delivery.seal;

import java.io.IOException;

/** Signals that a file has fewer bytes to read than its size says, and was not truncated. */
final class ShortFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param readBytes how many bytes can be read
   * @param sizeBytes how many the file says that it has
   */
  ShortFileException(long readBytes, long sizeBytes) {
    super(
        "only "
            + readBytes
            + " bytes can be read, though its size is "
            + sizeBytes
            + ": reading the other "
            + (sizeBytes - readBytes)
            + " returns nothing");
  }
}
