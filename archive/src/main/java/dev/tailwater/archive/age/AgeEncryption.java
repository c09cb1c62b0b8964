package dev.tailwater.archive.age;

import dev.tailwater.archive.sign.ObjectSigner;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Encrypts to recipients, with a new file key for each age file. Not thread-safe. */
public final class AgeEncryption {
  private final AgeHeaderWriter header;
  private final SecureRandom random;

  /**
   * Creates an encryption.
   *
   * @param recipients the keys to encrypt to, at least one
   * @param random the source of file keys and nonces
   */
  public AgeEncryption(List<Recipient> recipients, SecureRandom random) {
    this.header = new AgeHeaderWriter(recipients);
    this.random = random;
  }

  /** Returns the maximum length in bytes of what comes before the encrypted bytes. */
  public int maxFrontBytes() {
    return header.maxLengthBytes() + AgeKeys.NONCE_BYTES;
  }

  /**
   * Encrypts bytes where they are, and writes what an age file begins with before them.
   *
   * @param staging has room before {@code plainFrom} for the {@linkplain AgePayload#overheadBytes
   *     overhead} of the payload and {@link #maxFrontBytes}
   * @param extra the extra stanzas
   * @param signing signs the object; empty for no signature
   * @return the index at which the age file begins; it ends at {@code end}
   */
  public int encrypt(
      byte[] staging, int plainFrom, int end, List<AgeStanza> extra, Optional<Signing> signing) {
    Keys keys = newKeys(extra, signing);
    int payloadFrom =
        AgePayload.encryptInPlace(keys.payloadKey(), staging, plainFrom, end - plainFrom);
    int from = payloadFrom - keys.front().length;
    System.arraycopy(keys.front(), 0, staging, from, keys.front().length);
    keys.erase();
    return from;
  }

  /**
   * Begins an age file that is written in pieces, with a new file key.
   *
   * @param extra the extra stanza; empty for none
   * @param signing signs the object; empty for no signature
   */
  public Started start(Optional<AgeStanza> extra, Optional<Signing> signing) {
    Keys keys = newKeys(extra.stream().toList(), signing);
    Started started = new Started(keys.front(), AgePayload.encrypting(keys.payloadKey()));
    keys.erase();
    return started;
  }

  /**
   * Who signs an object.
   *
   * @param subject which object it is, as {@link dev.tailwater.archive.sign.Statement} names it
   */
  public record Signing(ObjectSigner signer, String subject) {
    AgeStanza stanza(byte[] header, byte[] nonce) {
      return SignatureStanza.of(signer.sign(SignatureStanza.statement(subject, header, nonce)));
    }
  }

  /**
   * An age file that was begun.
   *
   * @param front what the file begins with
   * @param payload encrypts what follows
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  public record Started(byte[] front, AgePayload payload) {}

  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Keys(byte[] front, byte[] payloadKey) {
    void erase() {
      Arrays.fill(payloadKey, (byte) 0);
    }
  }

  private Keys newKeys(List<AgeStanza> extra, Optional<Signing> signing) {
    byte[] fileKey = new byte[AgeKeys.FILE_KEY_BYTES];
    random.nextBytes(fileKey);
    byte[] nonce = new byte[AgeKeys.NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] text =
        header.write(fileKey, extra, before -> signing.map(with -> with.stanza(before, nonce)));
    byte[] front = Arrays.copyOf(text, text.length + nonce.length);
    System.arraycopy(nonce, 0, front, text.length, nonce.length);
    Keys keys = new Keys(front, AgeKeys.payloadKey(fileKey, nonce));
    Arrays.fill(fileKey, (byte) 0);
    return keys;
  }
}
