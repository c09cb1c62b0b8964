package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.FileKey;
import com.exceptionfactory.jagged.RecipientStanzaWriter;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaWriterFactory;
import java.security.GeneralSecurityException;
import java.util.Locale;

/** A public X25519 key of age, {@code age1…}. Everyone who has it can encrypt. Immutable. */
public final class Recipient {
  static final String PREFIX = "age";

  private static final int SHOWN = 12;

  private final String text;

  private Recipient(String text) {
    this.text = text;
  }

  /**
   * Parses {@code age1…}.
   *
   * @throws KeyFormatException if the text is no such key; the message is for the user
   */
  public static Recipient parse(String text) {
    String key = text.strip();
    if (key.startsWith("ssh-")) {
      throw new KeyFormatException(
          "SSH keys are not supported as recipients. Hint: make a key pair with 'tailwater"
              + " keygen'");
    }
    if (key.toUpperCase(Locale.ROOT).startsWith("AGE-")) {
      throw new KeyFormatException(
          "this is a private key, where a public key (age1...) is wanted. Hint: private keys must"
              + " not be on the machine that encrypts; 'age-keygen -y' prints the public key");
    }
    if (!key.startsWith("age1")) {
      throw new KeyFormatException(
          "not a recipient: '" + excerpt(key) + "'. Hint: recipients begin with age1");
    }
    if (KeyText.decode(PREFIX, key).isEmpty()) {
      throw new KeyFormatException(
          "the recipient '"
              + excerpt(key)
              + "' is mistyped, cut off or of another kind than X25519. Hint: copy it again");
    }
    Recipient recipient = new Recipient(key);
    try {
      // Only the use of a point reveals that it has low order.
      recipient.newStanzaWriter().getRecipientStanzas(new FileKey());
    } catch (GeneralSecurityException unusable) {
      throw recipient.unusable(unusable);
    }
    return recipient;
  }

  private KeyFormatException unusable(GeneralSecurityException why) {
    return new KeyFormatException(
        "the recipient '" + excerpt(text) + "' is not a usable X25519 key: " + why.getMessage());
  }

  /**
   * Returns whether a text is meant as a key, although perhaps a wrong one, and not as a file name.
   */
  public static boolean isMeant(String text) {
    String key = text.strip().toLowerCase(Locale.ROOT);
    return key.startsWith("age1")
        || key.startsWith("age-secret-key-")
        || key.startsWith("age-plugin-")
        || key.startsWith("ssh-");
  }

  /** Returns enough of a key to recognize it; the rest may be a secret in the wrong place. */
  private static String excerpt(String key) {
    return key.length() <= SHOWN ? key : key.substring(0, SHOWN) + "…";
  }

  RecipientStanzaWriter newStanzaWriter() {
    try {
      return X25519RecipientStanzaWriterFactory.newRecipientStanzaWriter(text);
    } catch (GeneralSecurityException unusable) {
      throw unusable(unusable);
    }
  }

  /** Returns {@code age1…}. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Recipient recipient && text.equals(recipient.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
