package dev.tailwater.delivery;

import dev.tailwater.archive.sign.SigningKey;
import java.util.Optional;

/**
 * Whether what an agent delivers is signed, and with which key.
 *
 * @param on whether it is signed
 * @param key a key that survives the loss of the state; empty: one in the state directory
 */
public record Signing(boolean on, Optional<SigningKey> key) {
  /** Nothing is signed. */
  public static final Signing OFF = new Signing(false, Optional.empty());

  /** Everything is signed with a key in the state directory, which is made if there is none. */
  public static final Signing WITH_KEY_IN_STATE = new Signing(true, Optional.empty());

  public Signing {
    if (key.isPresent() && !on) {
      throw new IllegalArgumentException("a key, but nothing to sign with it");
    }
  }

  /** Everything is signed with this key. */
  public static Signing with(SigningKey key) {
    return new Signing(true, Optional.of(key));
  }
}
