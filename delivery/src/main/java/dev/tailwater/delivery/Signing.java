package dev.tailwater.delivery;

import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import java.util.Optional;

/**
 * Whether what an agent delivers is signed, with which key, and whose signatures it trusts in turn.
 *
 * @param on whether it is signed
 * @param key a key that survives the loss of the state; empty: one in the state directory
 * @param trusted whose signatures count beside the agent's own; {@link Trust#none}: nobody's, and
 *     all objects are believed if there is no key that survives the loss of the state
 */
public record Signing(boolean on, Optional<SigningKey> key, Trust trusted) {
  /** Nothing is signed. */
  public static final Signing OFF = new Signing(false, Optional.empty(), Trust.none());

  /** Everything is signed with a key in the state directory, which is made if there is none. */
  public static final Signing WITH_KEY_IN_STATE = new Signing(true, Optional.empty(), Trust.none());

  public Signing {
    if ((key.isPresent() || trusted.isChecked()) && !on) {
      throw new IllegalArgumentException("a key, but nothing to sign with it");
    }
  }

  /** Everything is signed with this key. */
  public static Signing with(SigningKey key) {
    return new Signing(true, Optional.of(key), Trust.none());
  }

  /** Returns the same, which also trusts other keys. */
  public Signing trusting(Trust others) {
    return new Signing(on, key, others);
  }

  /** Returns whether objects must be signed for the agent to believe what they say of it. */
  boolean isChecked() {
    return key.isPresent() || trusted.isChecked();
  }
}
