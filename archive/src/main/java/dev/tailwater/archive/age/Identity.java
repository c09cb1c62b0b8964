package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.RecipientStanzaReader;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaReaderFactory;
import java.security.GeneralSecurityException;

/**
 * A private X25519 key of age, {@code AGE-SECRET-KEY-1…}. Everyone who has it can decrypt.
 * Immutable; no message and no {@code toString} contains the key.
 */
public final class Identity {
  static final String PREFIX = "AGE-SECRET-KEY-";

  private final String secretText;
  private final Recipient recipient;

  private Identity(String secretText, Recipient recipient) {
    this.secretText = secretText;
    this.recipient = recipient;
  }

  /**
   * Parses {@code AGE-SECRET-KEY-1…}.
   *
   * @throws KeyFormatException if the text is no such key; the message is for the user and does not
   *     contain the key
   */
  public static Identity parse(String text) {
    String key = text.strip();
    if (key.startsWith("age1")) {
      throw new KeyFormatException(
          "this is a public key, where a private key (AGE-SECRET-KEY-1...) is wanted");
    }
    if (key.startsWith("AGE-PLUGIN-") || key.startsWith("-----BEGIN OPENSSH")) {
      throw new KeyFormatException(
          "age plugin identities and SSH keys are not supported, only AGE-SECRET-KEY-1...");
    }
    if (!key.startsWith(PREFIX)) {
      throw new KeyFormatException(
          "not a private key. Hint: identities begin with AGE-SECRET-KEY-1, in capitals");
    }
    byte[] secret =
        KeyText.decode(PREFIX, key)
            .orElseThrow(
                () ->
                    new KeyFormatException(
                        "the private key is mistyped or cut off. Hint: copy its file again"));
    return of(secret);
  }

  static Identity of(byte[] secret) {
    Recipient recipient =
        Recipient.parse(KeyText.encode(Recipient.PREFIX, X25519.publicKey(secret)));
    return new Identity(KeyText.encode(PREFIX, secret), recipient);
  }

  RecipientStanzaReader newStanzaReader() {
    try {
      return X25519RecipientStanzaReaderFactory.newRecipientStanzaReader(secretText);
    } catch (GeneralSecurityException unusable) {
      throw new IllegalStateException("an identity that was parsed is not usable", unusable);
    }
  }

  /** Returns the corresponding public key. */
  public Recipient recipient() {
    return recipient;
  }

  /** Returns the secret key as text, to be written to a key file. */
  String secretText() {
    return secretText;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Identity identity && recipient.equals(identity.recipient);
  }

  @Override
  public int hashCode() {
    return recipient.hashCode();
  }

  /** Returns the public key, never the secret. */
  @Override
  public String toString() {
    return "identity of " + recipient;
  }
}
