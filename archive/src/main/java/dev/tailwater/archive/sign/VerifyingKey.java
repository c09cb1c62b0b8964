package dev.tailwater.archive.sign;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** The public key of an agent or a compactor, with which its signatures are checked. Immutable. */
public final class VerifyingKey {
  /** What the text of a public key begins with. */
  public static final String PREFIX = "ed25519:";

  private static final int ID_BYTES = 4;

  private final byte[] raw;
  private final PublicKey key;

  private VerifyingKey(byte[] raw, PublicKey key) {
    this.raw = raw;
    this.key = key;
  }

  /** Returns the key of these bytes; empty if they are no point of the curve. */
  static Optional<VerifyingKey> of(byte[] raw) {
    try {
      return raw.length == Ed25519.KEY_BYTES
          ? Optional.of(new VerifyingKey(raw.clone(), Ed25519.publicKey(raw)))
          : Optional.empty();
    } catch (GeneralSecurityException malformed) {
      return Optional.empty();
    }
  }

  /** Parses {@code ed25519:} and 43 characters; returns empty if the text is no public key. */
  public static Optional<VerifyingKey> parse(String text) {
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      byte[] raw = Base64.getDecoder().decode(text.substring(PREFIX.length()));
      return of(raw).filter(found -> found.text().equals(text));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Returns the key as users and configurations write it. */
  public String text() {
    return PREFIX + Base64.getEncoder().withoutPadding().encodeToString(raw);
  }

  /** Returns the eight hexadecimal digits that name the key in a signature. */
  public String id() {
    return HexFormat.of().formatHex(raw, 0, ID_BYTES);
  }

  boolean verifies(byte[] message, byte[] signature) {
    return Ed25519.verify(key, message, signature);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerifyingKey that && Arrays.equals(raw, that.raw);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(raw);
  }

  @Override
  public String toString() {
    return text();
  }
}
