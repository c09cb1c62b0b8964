package dev.tailwater.archive.age;

import dev.tailwater.archive.sign.ObjectSignature;
import dev.tailwater.archive.sign.Statement;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * The stanza of an age header that holds the signature of an object: {@code tailwater-signature KEY
 * AT}. It covers the header without itself, and the nonce. The payload needs no digest: whoever
 * does not know the file key cannot make a chunk that opens with it, leave one out or move one.
 */
final class SignatureStanza {
  static final String TYPE = "tailwater-signature";

  private static final int KEY_ID_DIGITS = 8;
  private static final int MAX_NUMBER_DIGITS = 20;

  /** "-> ", three words with spaces between them, and the body in two lines. */
  static final int MAX_LENGTH_BYTES =
      3 + TYPE.length() + 1 + KEY_ID_DIGITS + 1 + MAX_NUMBER_DIGITS + 1 + 88;

  private SignatureStanza() {}

  static boolean isMeant(AgeStanza stanza) {
    return stanza.type().equals(TYPE);
  }

  static AgeStanza of(ObjectSignature signature) {
    return new AgeStanza(
        TYPE, List.of(signature.keyId(), Long.toString(signature.atMillis())), signature.bytes());
  }

  /** Returns the signature; empty if the stanza is malformed. */
  static Optional<ObjectSignature> parse(AgeStanza stanza) {
    if (stanza.arguments().size() != 2 || stanza.body().length != ObjectSignature.SIGNATURE_BYTES) {
      return Optional.empty();
    }
    try {
      long atMillis = Long.parseLong(stanza.arguments().get(1));
      return Optional.of(
          new ObjectSignature(stanza.arguments().getFirst(), atMillis, stanza.body()));
    } catch (NumberFormatException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Returns what a signature must say.
   *
   * @param header the header up to its last line, without this stanza
   */
  static Statement statement(String subject, byte[] header, byte[] nonce) {
    MessageDigest digest = Statement.newDigest();
    digest.update(header);
    digest.update(nonce);
    return new Statement(subject, Statement.Form.AGE, digest.digest());
  }
}
