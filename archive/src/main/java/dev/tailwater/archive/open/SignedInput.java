package dev.tailwater.archive.open;

import dev.tailwater.archive.BulkInputStream;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.sign.FrameSignature;
import dev.tailwater.archive.sign.Statement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * An input stream over a segment that is not encrypted. It keeps what its signature covers: the
 * header, the digest of the units, and the last bytes, which should be the signature.
 */
final class SignedInput extends BulkInputStream {
  private final InputStream in;
  private final boolean gzip;
  private final ByteArrayOutputStream header = new ByteArrayOutputStream();
  private final MessageDigest units = Statement.newDigest();
  private final byte[] held;
  private int heldBytes;
  private boolean inHeader = true;

  SignedInput(InputStream in, boolean gzip) {
    this.in = in;
    this.gzip = gzip;
    this.held = new byte[FrameSignature.segmentBytes(gzip)];
  }

  @Override
  public int read(byte[] target, int from, int lengthBytes) throws IOException {
    int taken = in.read(target, from, lengthBytes);
    if (taken > 0 && inHeader) {
      header.write(target, from, taken);
    } else if (taken > 0) {
      hold(target, from, taken);
    }
    return taken;
  }

  private void hold(byte[] bytes, int from, int lengthBytes) {
    int leaving = Math.max(0, heldBytes + lengthBytes - held.length);
    int leavingHeld = Math.min(leaving, heldBytes);
    units.update(held, 0, leavingHeld);
    System.arraycopy(held, leavingHeld, held, 0, heldBytes - leavingHeld);
    heldBytes -= leavingHeld;
    int passing = leaving - leavingHeld;
    units.update(bytes, from, passing);
    System.arraycopy(bytes, from + passing, held, heldBytes, lengthBytes - passing);
    heldBytes += lengthBytes - passing;
  }

  /** Notes that what was read so far is the header. */
  void endHeader() {
    inHeader = false;
  }

  /** Returns the header with its envelope. */
  byte[] header() {
    return header.toByteArray();
  }

  /**
   * Reads to the end and returns the signature; empty if there is none. Call this once.
   *
   * @param key the key of the segment, for messages
   * @throws NotAuthenticException if it is the signature of other units than those that were read
   */
  Optional<FrameSignature> signature(String key) throws IOException {
    skipToEnd();
    Optional<FrameSignature> found = FrameSignature.decode(Arrays.copyOf(held, heldBytes), gzip);
    if (found.isPresent() && !isOf(found.get(), units.digest())) {
      throw new NotAuthenticException(key, false, "its bytes were altered after it was signed");
    }
    return found;
  }

  private static boolean isOf(FrameSignature signature, byte[] digest) {
    return signature.digests().size() == 1
        && MessageDigest.isEqual(signature.digests().getFirst(), digest);
  }

  private void skipToEnd() throws IOException {
    byte[] rest = new byte[8 * 1024];
    while (read(rest, 0, rest.length) > 0) {
      // It only has to pass.
    }
  }
}
