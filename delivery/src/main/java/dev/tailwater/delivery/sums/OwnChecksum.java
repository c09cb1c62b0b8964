package dev.tailwater.delivery.sums;

/**
 * Finds out whether bytes are followed by their own CRC-32C, as PostgreSQL writes {@code
 * pg_control}. Then the CRC-32C up to there is the same whatever they are, since a CRC is linear:
 * it does not tell one version of such a file from another. Not thread-safe.
 */
public final class OwnChecksum {
  /** How far it is looked for: byte by byte, so not for ever. */
  public static final long WITHIN_BYTES = 16L << 20;

  /** Castagnoli's polynomial, with the lowest bit first (RFC 9260, appendix A). */
  private static final int POLYNOMIAL = 0x82F63B78;

  /** What the register holds behind any bytes and their CRC, with its lowest byte first. */
  private static final int RESIDUE = ~0x48674BC7;

  private static final int CRC_BYTES = 4;

  private final int[] table = new int[256];
  private int register = -1;
  private long passedBytes;
  private boolean found;

  /** Creates a search from the first byte on. */
  public OwnChecksum() {
    for (int value = 0; value < table.length; value++) {
      int remainder = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        remainder = (remainder & 1) == 0 ? remainder >>> 1 : (remainder >>> 1) ^ POLYNOMIAL;
      }
      table[value] = remainder;
    }
  }

  /** Takes the next bytes in. */
  public void update(byte[] bytes, int from, int lengthBytes) {
    for (int i = 0; i < lengthBytes; i++) {
      register = (register >>> Byte.SIZE) ^ table[(register ^ bytes[from + i]) & 0xff];
      // Four zeros are the CRC of nothing.
      found |= register == RESIDUE && passedBytes + i + 1 > CRC_BYTES;
    }
    passedBytes += lengthBytes;
  }

  /**
   * Returns whether some of the bytes so far, from the first one on, were followed by their CRC.
   */
  public boolean isFound() {
    return found;
  }
}
