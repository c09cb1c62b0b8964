package dev.tailwater.archive.pack;

/**
 * A zstd frame of a pack.
 *
 * @param rawBytes the number of bytes that it decompresses to, at least one
 * @param encodedBytes its own length
 */
public record PackUnit(long rawBytes, long encodedBytes) {
  public PackUnit {
    if (rawBytes < 1 || encodedBytes < 1) {
      throw new IllegalArgumentException(
          "not a unit: " + rawBytes + " bytes in " + encodedBytes + " bytes");
    }
  }
}
