package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.bech32.Bech32;
import com.exceptionfactory.jagged.bech32.Bech32Address;
import java.util.Optional;

/** 32 key bytes as Bech32 (BIP 173, as age uses it) and back. */
final class KeyText {
  static final int KEY_BYTES = 32;

  private KeyText() {}

  static String encode(String humanReadablePart, byte[] key) {
    return Bech32.getEncoder().encode(humanReadablePart, key).toString();
  }

  /** The key, or empty when the checksum, the prefix or the length is wrong. */
  static Optional<byte[]> decode(String humanReadablePart, String text) {
    Bech32Address address;
    try {
      address = Bech32.getDecoder().decode(text);
    } catch (RuntimeException malformed) {
      // Not passed on as a cause: it may quote a secret.
      return Optional.empty();
    }
    boolean ours = humanReadablePart.contentEquals(address.getHumanReadablePart());
    return ours && address.getData().length == KEY_BYTES
        ? Optional.of(address.getData())
        : Optional.empty();
  }
}
