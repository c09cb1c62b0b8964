package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.FileKey;
import com.exceptionfactory.jagged.RecipientStanza;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.ObjectInput;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An input stream that decrypts an age v1 file. It authenticates every byte before it returns it,
 * and reports the end only after the chunk that is marked as the last.
 */
public final class AgeInput extends PlainChunks {
  private final ObjectInput in;
  private final AgePayload payload;
  private final byte[] payloadKey;
  private final Optional<ContentStanza> content;
  private final HeaderSignature signature;
  private final long payloadAt;
  private final byte[] sealed = new byte[AgePayload.SEALED_CHUNK_BYTES + 1];
  private int held;
  private boolean ended;
  private boolean first = true;

  private AgeInput(
      ObjectInput in,
      byte[] payloadKey,
      Optional<ContentStanza> content,
      HeaderSignature signature) {
    this.in = in;
    this.payloadKey = payloadKey;
    this.payload = AgePayload.decrypting(payloadKey, 0);
    this.content = content;
    this.signature = signature;
    this.payloadAt = in.offsetBytes();
  }

  /** Decides whether a header counts, before anything in it is used. */
  public interface HeaderCheck {
    /** Accepts what is signed in a header, or throws. */
    void require(HeaderSignature found) throws IOException;
  }

  /** Reads the header of an encrypted segment, whoever has signed it; see the other method. */
  public static AgeInput open(ObjectInput in, List<Identity> identities) throws IOException {
    return open(in, identities, AgeHeaderReader.MAX_SEGMENT_HEADER_BYTES, _ -> {});
  }

  /**
   * Reads the header of an age file and finds the file key.
   *
   * @param maxHeaderBytes the longest header to accept
   * @param check asked before an identity is tried: who cannot open an object must not take it for
   *     one of the archive either
   * @throws NoIdentityException if no identity can decrypt the file
   * @throws DamagedSegmentException if the header is malformed or was altered
   * @throws dev.tailwater.archive.UnsupportedFormatException if the file has another version of the
   *     age format
   */
  public static AgeInput open(
      ObjectInput in, List<Identity> identities, int maxHeaderBytes, HeaderCheck check)
      throws IOException {
    AgeHeaderReader header = new AgeHeaderReader(in, maxHeaderBytes);
    header.readVersion();
    List<RecipientStanza> wrapped = new ArrayList<>();
    Optional<ContentStanza> content = Optional.empty();
    HeaderSignature.Collector signature = new HeaderSignature.Collector();
    for (Optional<AgeStanza> next = header.nextStanza();
        next.isPresent();
        next = header.nextStanza()) {
      AgeStanza stanza = next.get();
      if (stanza.type().equals(AgeStanza.X25519)) {
        wrapped.add(requireX25519(in, stanza));
      } else if (ContentStanza.isMeant(stanza)) {
        if (content.isPresent()) {
          throw in.damaged("the age header has two stanzas about the content");
        }
        content = Optional.of(requireContent(in, stanza));
      } else if (SignatureStanza.isMeant(stanza)) {
        signature.take(in, stanza, header);
      }
    }
    byte[] mac = header.mac();
    byte[] nonce = HeaderSignature.nonce(in);
    HeaderSignature signed = signature.end(header, nonce);
    check.require(signed);
    byte[] fileKey = unwrap(in, wrapped, identities);
    byte[] authenticated = header.authenticated();
    byte[] expected = AgeKeys.headerMac(fileKey, authenticated, authenticated.length);
    if (!MessageDigest.isEqual(mac, expected)) {
      throw in.damaged("the age header was altered: its MAC is wrong");
    }
    return new AgeInput(in, AgeKeys.payloadKey(fileKey, nonce), content, signed);
  }

  /** Parses the extra stanza of Tailwater; throws if it is malformed. */
  public static ContentStanza requireContent(ObjectInput in, AgeStanza stanza)
      throws DamagedSegmentException {
    return ContentStanza.of(stanza)
        .orElseThrow(() -> in.damaged("the " + stanza.type() + " stanza is malformed"));
  }

  private static AgeStanza requireX25519(ObjectInput in, AgeStanza stanza)
      throws DamagedSegmentException {
    boolean valid =
        stanza.arguments().size() == 1
            && stanza.body().length == AgeKeys.FILE_KEY_BYTES + AgePayload.TAG_BYTES
            && AgeHeaderReader.base64(stanza.arguments().getFirst())
                .filter(share -> share.length == KeyText.KEY_BYTES)
                .isPresent();
    if (!valid) {
      throw in.damaged("an X25519 stanza in the age header is malformed");
    }
    return stanza;
  }

  private static byte[] unwrap(
      ObjectInput in, List<RecipientStanza> wrapped, List<Identity> identities)
      throws NoIdentityException {
    for (Identity identity : identities) {
      for (RecipientStanza stanza : wrapped) {
        try {
          FileKey fileKey = identity.newStanzaReader().getFileKey(List.of(stanza));
          return fileKey.getEncoded();
        } catch (GeneralSecurityException notThisOne) {
          // Encrypted for another recipient: try the next combination.
        }
      }
    }
    throw new NoIdentityException(in.key(), identities.size(), wrapped.size());
  }

  /** Returns the extra stanza of Tailwater; empty if the header has none. */
  public Optional<ContentStanza> content() {
    return content;
  }

  /** Returns the signature in the header, and what it must cover. */
  public HeaderSignature signature() {
    return signature;
  }

  /** Returns the key of the payload, with which single chunks of it can be read. */
  public byte[] payloadKey() {
    return payloadKey.clone();
  }

  /** Returns the offset in the object at which the encrypted payload begins. */
  public long payloadAt() {
    return payloadAt;
  }

  /**
   * Decrypts the next chunk. A chunk is the last one if no byte follows it, so this reads one byte
   * beyond the chunk.
   */
  @Override
  int nextChunk(byte[] into) throws IOException {
    if (ended) {
      return 0;
    }
    long chunkAt = in.offsetBytes() - held;
    held += in.readNBytes(sealed, held, sealed.length - held);
    ended = held < sealed.length;
    int chunk = Math.min(held, AgePayload.SEALED_CHUNK_BYTES);
    if (chunk < AgePayload.TAG_BYTES || (chunk == AgePayload.TAG_BYTES && !first)) {
      throw in.damagedAt(chunkAt, "the encrypted data is cut off");
    }
    first = false;
    int length;
    try {
      length = payload.next(sealed, 0, chunk, ended, into, 0);
    } catch (GeneralSecurityException altered) {
      throw in.damagedAt(chunkAt, "the encrypted data was altered or cut off");
    }
    held -= chunk;
    if (held > 0) {
      sealed[0] = sealed[AgePayload.SEALED_CHUNK_BYTES];
    }
    return length;
  }
}
