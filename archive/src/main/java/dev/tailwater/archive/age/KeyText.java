package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.bech32.Bech32;
import com.exceptionfactory.jagged.bech32.Bech32Address;
import java.util.Optional;

/** Conversion of 32 key bytes to and from Bech32 (BIP 173, as age uses it). */
final class KeyText {
  static final int KEY_BYTES = 32;

  private KeyText() {}

  static String encode(String humanReadablePart, byte[] key) {
    return Bech32.getEncoder().encode(humanReadablePart, key).toString();
  }

  /** Decodes a key; returns empty if the checksum, the prefix or the length is wrong. */
  static Optional<byte[]> decode(String humanReadablePart, String text) {
    Bech32Address address;
    try {
      address = Bech32.getDecoder().decode(text);
    } catch (RuntimeException malformed) {
      // Not kept as a cause: its message may quote a secret.
      return Optional.empty();
    }
    boolean ours = humanReadablePart.contentEquals(address.getHumanReadablePart());
    return ours && address.getData().length == KEY_BYTES
        ? Optional.of(address.getData())
        : Optional.empty();
  }
}
