package dev.tailwater.archive.age;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A private key and the corresponding public key. */
public record KeyPair(Identity identity, Recipient recipient) {
  /** Generates a key pair from 32 random bytes. */
  public static KeyPair generate(SecureRandom random) {
    byte[] secret = new byte[KeyText.KEY_BYTES];
    random.nextBytes(secret);
    Identity identity = Identity.of(secret);
    return new KeyPair(identity, identity.recipient());
  }

  /**
   * Returns the content of an identity file as {@code age-keygen} writes it, including the secret.
   */
  public String toFileText(Instant created) {
    return "# created: "
        + created.truncatedTo(ChronoUnit.SECONDS)
        + "\n# public key: "
        + recipient.text()
        + "\n"
        + identity.secretText()
        + "\n";
  }
}
