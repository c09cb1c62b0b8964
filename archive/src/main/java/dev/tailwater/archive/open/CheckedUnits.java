package dev.tailwater.archive.open;

import dev.tailwater.archive.BulkInputStream;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.sign.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Iterator;
import java.util.List;

/** An input stream over units of a pack that returns no byte of a unit before it is authentic. */
final class CheckedUnits extends BulkInputStream {
  /** A longer unit is not held in memory, and not believed. */
  private static final long MAX_UNIT_BYTES = 64L << 20;

  private final InputStream in;
  private final String key;
  private final Iterator<Unit> units;
  private byte[] unit = new byte[0];
  private int next;

  /**
   * A unit as the signature of its pack describes it.
   *
   * @param digest SHA-256 of its bytes
   */
  record Unit(long encodedBytes, @SuppressWarnings("ArrayRecordComponent") byte[] digest) {}

  /**
   * Creates a stream.
   *
   * @param in the units, one after the other
   * @param key the key of the pack, for messages
   */
  CheckedUnits(InputStream in, String key, List<Unit> units) {
    this.in = in;
    this.key = key;
    this.units = units.iterator();
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return 0;
    }
    if (next == unit.length) {
      if (!units.hasNext()) {
        return -1;
      }
      unit = fetch(units.next());
      next = 0;
    }
    int taken = Math.min(unit.length - next, lengthBytes);
    System.arraycopy(unit, next, target, from, taken);
    next += taken;
    return taken;
  }

  private byte[] fetch(Unit expected) throws IOException {
    if (expected.encodedBytes() > MAX_UNIT_BYTES) {
      throw new NotAuthenticException(
          key, false, "a unit of " + expected.encodedBytes() + " bytes is too long to be checked");
    }
    byte[] bytes = in.readNBytes((int) expected.encodedBytes());
    byte[] digest = Statement.digest(bytes, 0, bytes.length);
    if (!MessageDigest.isEqual(digest, expected.digest())) {
      throw new NotAuthenticException(key, false, "its bytes were altered after it was signed");
    }
    return bytes;
  }
}
