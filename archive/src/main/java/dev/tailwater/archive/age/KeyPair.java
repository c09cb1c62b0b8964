package dev.tailwater.archive.age;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A private key and its public one. */
public record KeyPair(Identity identity, Recipient recipient) {
  /** A new pair from 32 random bytes. */
  public static KeyPair generate(SecureRandom random) {
    byte[] secret = new byte[KeyText.KEY_BYTES];
    random.nextBytes(secret);
    Identity identity = Identity.of(secret);
    return new KeyPair(identity, identity.recipient());
  }

  /** The identity file that {@code age-keygen} would write; holds the secret. */
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
