package dev.tailwater.delivery.config;

import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
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

  /**
   * Returns whose signatures count in what the archive says of the agent: its own, which includes a
   * key in the state directory that another one has replaced, and those that it was told.
   */
  public Trust trust(FileCalls calls, PosixPath stateDirectory) {
    if (!isChecked()) {
      return Trust.none();
    }
    Trust told = key.map(own -> trusted.with(own.publicKey())).orElse(trusted);
    try {
      PosixPath before = stateDirectory.resolve(SigningKeyFile.NAME);
      return told.with(SigningKeyFile.read(calls, before).publicKey());
    } catch (IOException e) {
      return told; // There is none, or none that only the agent can have used.
    }
  }

  /** Returns whether objects must be signed for the agent to believe what they say of it. */
  public boolean isChecked() {
    return key.isPresent() || trusted.isChecked();
  }
}
